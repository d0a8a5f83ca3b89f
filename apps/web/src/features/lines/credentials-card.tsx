import { Check, Plus, Printer } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { useMe } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import type { CreatedLine } from './add-line-types.ts';
import { CopyCredentialsButton } from './copy-credentials-button.tsx';
import { CredentialRows } from './credential-rows.tsx';
import { credentialsOf } from './credentials.ts';
import styles from './credentials-card.module.css';
import { SavedNotSynced } from './saved-not-synced.tsx';

interface CredentialsCardProps {
  created: CreatedLine;
  onCreateAnother: () => void;
}

/** What the new customer needs, once: afterwards the password takes a reveal. */
export function CredentialsCard({ created, onCreateAnother }: CredentialsCardProps) {
  const { t } = useTranslation('lines');
  const isPhone = useIsPhone();
  const credentials = credentialsOf(created.line, created.password);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const print = (
    <Button icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
      {t('done.print')}
    </Button>
  );
  return (
    <>
      <Card className={styles.card} aria-labelledby="line-created">
        <div className={styles.head}>
          <span className={styles.mark}>
            <Check size={20} aria-hidden="true" />
          </span>
          <div className={styles.titles}>
            <h2 id="line-created" ref={title} tabIndex={-1}>
              {t('done.title')}
            </h2>
            <Summary created={created} />
          </div>
          {!isPhone && print}
        </div>
        <CredentialRows credentials={credentials} />
        <div className={styles.actions}>
          <CopyCredentialsButton variant="solid" getCredentials={() => credentials}>
            {t('done.copyAll')}
          </CopyCredentialsButton>
          {isPhone && print}
          <Button icon={<Plus aria-hidden="true" />} onClick={onCreateAnother}>
            {t('done.another')}
          </Button>
          <ButtonLink to={paths.lines()} variant="text">
            {t('done.back')}
          </ButtonLink>
        </div>
      </Card>
      {!created.sync.ok && (
        <div className={styles.banner} role="status">
          <SavedNotSynced created={created} />
        </div>
      )}
    </>
  );
}

/** '12 months for 10 credits. Balance 238 credits.' */
function Summary({ created: { line, cost, credits } }: { created: CreatedLine }) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  const { is_admin } = useMe();
  const duration = line.is_trial
    ? t('status.trial')
    : common('credits.months', { count: line.subscription_months ?? 0 });
  const price = common('credits.amount', { count: cost });
  const balance = common('credits.amount', { count: credits });
  if (is_admin) return <p>{t('done.free', { duration })}</p>;
  return (
    <p>
      {cost === 0 ? t('done.free', { duration }) : t('done.paid', { duration, price })}{' '}
      {t('done.balance', { balance })}
    </p>
  );
}

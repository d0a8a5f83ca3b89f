import { Check, Plus, Printer } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CopyCLineButton,
  CopyCredentialsButton,
  CredentialRows,
  credentialsOf,
} from '../../../shared/lines/credentials.tsx';
import { SyncResultBanner } from '../../../shared/lines/sync-result-banner.tsx';
import { useMe } from '../../../shared/session.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { useIsPhone } from '../../../shared/ui/use-is-phone.ts';
import type { CreatedLine } from './add-line-types.ts';
import styles from './credentials-card.module.css';

interface CredentialsCardProps {
  created: CreatedLine;
  onCreateAnother: () => void;
}

/**
 * The customer's credentials after a sale, the only time the password is shown without a reveal.
 */
export function CredentialsCard({ created, onCreateAnother }: CredentialsCardProps) {
  const { t } = useTranslation('lines');
  const isPhone = useIsPhone();
  const credentials = credentialsOf(created.line, created.password);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The page's head belongs to it, which the focus alone would leave below the sticky header.
    title.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
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
          <CopyCLineButton credentials={credentials} />
          {isPhone && print}
          <Button icon={<Plus aria-hidden="true" />} onClick={onCreateAnother}>
            {t('done.another')}
          </Button>
          <ButtonLink to="/users/all" variant="text">
            {t('done.back')}
          </ButtonLink>
        </div>
      </Card>
      {!created.sync.ok && (
        <div className={styles.banner} role="status">
          <SyncResultBanner line={created.line} sync={created.sync} isPaid={created.cost > 0} />
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
  const duration = common('credits.months', { count: line.subscription_months ?? 0 });
  const price = common('credits.amount', { count: cost });
  const balance = common('credits.amount', { count: credits });
  const free = line.is_trial ? t('done.trial') : t('done.free', { duration });
  if (is_admin) return <p>{free}</p>;
  return (
    <p>
      {cost === 0 ? free : t('done.paid', { duration, price })} {t('done.balance', { balance })}
    </p>
  );
}

import { Plus, Printer } from 'lucide-react';
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
import { DoneCard } from '../../../shared/ui/done-card.tsx';
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
  const print = (
    <Button icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
      {t('done.print')}
    </Button>
  );
  return (
    <>
      <DoneCard
        titleId="line-created"
        title={t('done.title')}
        summary={<Summary created={created} />}
        aside={!isPhone && print}
        actions={
          <>
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
          </>
        }
      >
        <CredentialRows credentials={credentials} />
      </DoneCard>
      {!created.sync.ok && (
        <div className={styles.banner} role="status">
          <SyncResultBanner line={created.line} result={created} isPaid={created.cost > 0} />
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
  if (is_admin) return free;
  const what = cost === 0 ? free : t('done.paid', { duration, price });
  return `${what} ${t('done.balance', { balance })}`;
}

import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/data/session.ts';
import { CopyCredentialsButton } from '../../../shared/lines/credentials.tsx';
import { lineServerQuery } from '../../../shared/lines/queries.ts';
import { Receivers } from '../../../shared/lines/receivers/receivers.tsx';
import { SyncResultBanner } from '../../../shared/lines/sync-result-banner.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { DoneCard } from '../../../shared/ui/done-card.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { lineQuery } from '../queries.ts';
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
  const state = useDelivery(created);
  return (
    <>
      <Delivery state={state} created={created} />
      <DoneCard
        titleId="line-created"
        title={t(`done.title.${state}`)}
        isWaiting={state !== 'done'}
        summary={<Summary created={created} />}
        actions={
          <>
            <CopyCredentialsButton line={created.line} getPassword={() => created.password}>
              {t('done.copyAll')}
            </CopyCredentialsButton>
            <Button icon={<Plus aria-hidden="true" />} onClick={onCreateAnother}>
              {t('done.another')}
            </Button>
            <ButtonLink to="/users/all" variant="text">
              {t('done.back')}
            </ButtonLink>
          </>
        }
      >
        <Receivers line={created.line} known={created.password} />
      </DoneCard>
    </>
  );
}

/** The server does not have the line, or has not read it. */
type DeliveryState = 'notDelivered' | 'notRead' | 'done';

/** Follows the line until its customer can connect. */
function useDelivery({ line: sold }: CreatedLine): DeliveryState {
  const { data: line } = useQuery({ ...lineQuery(sold.id), initialData: sold });
  const { data: server } = useQuery(lineServerQuery(sold.id));
  if (line.sync_state !== 'synced' || !line.on_server) return 'notDelivered';
  return server?.has_read_all === false ? 'notRead' : 'done';
}

/** Stands first, because what follows does not work yet; says so, too, when it does. */
function Delivery({ state, created }: { state: DeliveryState; created: CreatedLine }) {
  const { t } = useTranslation('lines');
  const [wasWaiting, setWaiting] = useState(false);
  if (state !== 'done' && !wasWaiting) setWaiting(true);
  const { username } = created.line;
  return (
    <div className={wasWaiting ? styles.banner : undefined} role="status">
      {state === 'notDelivered' && (
        <SyncResultBanner line={created.line} result={created} isPaid={created.cost > 0} />
      )}
      {state === 'notRead' && (
        <Banner tone="warning" title={t('done.notRead')}>
          <p>{t('done.notReadText')}</p>
        </Banner>
      )}
      {state === 'done' && wasWaiting && (
        <Banner tone="success" title={t('line.sync.done', { username })} />
      )}
    </div>
  );
}

/** '12 months for 10 credits. Balance 238 credits.' */
function Summary({ created: { line, cost, credits } }: { created: CreatedLine }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const duration = t('credits.months', { count: line.subscription_months ?? 0 });
  const price = t('credits.amount', { count: cost });
  const balance = t('credits.amount', { count: credits });
  const free = line.is_trial ? t('done.trial') : t('done.free', { duration });
  if (is_admin) return free;
  const what = cost === 0 ? free : t('done.paid', { duration, price });
  return `${what} ${t('done.balance', { balance })}`;
}

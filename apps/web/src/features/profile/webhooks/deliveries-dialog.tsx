import {
  type DeliveryState,
  listDeliveries,
  redeliver,
  type Webhook,
  type WebhookDelivery,
} from '@linekeeper/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { InfoDialog } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';

const toneOf = {
  waiting: 'info',
  delivered: 'success',
  failed: 'error',
} as const satisfies Record<DeliveryState, string>;

/** Milliseconds between two refetches while a delivery is pending. */
const LOOK_MS = 3000;

interface DeliveriesDialogProps {
  webhook: Webhook;
  onClose: () => void;
}

export function DeliveriesDialog({ webhook: { id, url }, onClose }: DeliveriesDialogProps) {
  const { t } = useTranslation('webhooks');
  const { data, error, refetch } = useQuery({
    ...callQuery('webhooks', listDeliveries, { params: { id } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((one) => one.state === 'waiting') ? LOOK_MS : false,
  });
  return (
    <InfoDialog title={t('deliveries')} onClose={onClose}>
      <p className="mt-2 text-text-2 wrap-anywhere">{url}</p>
      {data?.items.length === 0 && <p className="mt-4">{t('noDeliveries')}</p>}
      {data && data.items.length > 0 && (
        <ul className="divided mt-4 max-h-[50vh] overflow-y-auto" aria-label={t('deliveries')}>
          {data.items.map((delivery) => (
            <DeliveryRow key={delivery.id} webhookId={id} delivery={delivery} />
          ))}
        </ul>
      )}
      {!data && error && <FailedPanel error={error} onRetry={() => void refetch()} />}
    </InfoDialog>
  );
}

interface DeliveryRowProps {
  webhookId: string;
  delivery: WebhookDelivery;
}

function DeliveryRow({ webhookId, delivery }: DeliveryRowProps) {
  const { t } = useTranslation('webhooks');
  const { event, state, created_at, response } = delivery;
  const sending = useCommand(redeliver, {
    params: { id: webhookId, delivery: delivery.id },
    refreshes: ['webhooks'],
    isRepeatable: true,
    waits: true,
  });
  return (
    <li className="flex items-start gap-3 py-3">
      <span className="flex-1 grid gap-0.5 min-w-0 wrap-anywhere">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 type-strong">
          {t(`event.${event}`)}
          <Badge tone={toneOf[state]}>{t(`state.${state}`)}</Badge>
        </span>
        <span className="text-text-2 type-caption">
          <Timestamp value={created_at} />
          <Attempt delivery={delivery} />
        </span>
        {response && (
          <span className="text-text-2 type-caption">
            <TypedText>{response}</TypedText>
          </span>
        )}
      </span>
      <Button size="small" pending={sending.isPending} onClick={() => void sending.send()}>
        {t('again')}
      </Button>
    </li>
  );
}

function Attempt({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhooks');
  const { attempts, response_code, reason, ms, tried_at, next_try_at } = delivery;
  if (!tried_at) return null;
  const found = reason ? t(`reason.${reason}`) : t('answered', { code: response_code, ms });
  return (
    <>
      {' · '}
      {found} {' · '}
      {t('attempts', { count: attempts })}
      {next_try_at && (
        <>
          {' · '}
          {t('next')} <Timestamp value={next_try_at} />
        </>
      )}
    </>
  );
}

import {
  deleteWebhook,
  listWebhooks,
  rotateWebhook,
  type Webhook,
  type WebhookWithSecret,
} from '@linekeeper/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, RefreshCw, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccessCard, AccessList, AccessRow } from '#features/profile/access-card.tsx';
import { MadeSecret } from '#features/profile/made-secret.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { MoreMenu } from '#kit/overlays/more-menu.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';

const WebhookDialog = lazyPart(() => import('./webhook-dialog.tsx'), 'WebhookDialog');
const DeliveriesDialog = lazyPart(() => import('./deliveries-dialog.tsx'), 'DeliveriesDialog');

/** Addresses that events are sent to. A new secret is shown here until the page is left. */
export function WebhooksPage() {
  const { t } = useTranslation('webhooks');
  const [opened, setOpened] = useState<Webhook | 'new'>();
  const [shown, setShown] = useState<Webhook>();
  const [made, setMade] = useState<WebhookWithSecret>();
  const webhooks = useQuery(callQuery('webhooks', listWebhooks, { select: ({ items }) => items }));
  const isMadeLeft = webhooks.data?.some(({ id }) => id === made?.id);
  return (
    <>
      <PageHeader
        actions={
          <Button
            variant="solid"
            icon={<Plus size={18} aria-hidden="true" />}
            onClick={() => setOpened('new')}
          >
            {t('add')}
          </Button>
        }
      />
      <div className="max-w-(--form-max)">
        <AccessCard title={t('yours')} text={t('hint')}>
          <div role="status">
            {made && isMadeLeft && (
              <MadeSecret text={t('made')} secret={made.secret} copyLabel={t('copy')} />
            )}
          </div>
          <AccessList query={webhooks} none={t('none')}>
            {(webhook) => (
              <WebhookRow
                key={webhook.id}
                webhook={webhook}
                onEdit={() => setOpened(webhook)}
                onShow={() => setShown(webhook)}
                onRotated={setMade}
              />
            )}
          </AccessList>
        </AccessCard>
      </div>
      {opened && (
        <WebhookDialog
          webhook={opened === 'new' ? undefined : opened}
          onCreated={setMade}
          onClose={() => setOpened(undefined)}
        />
      )}
      {shown && <DeliveriesDialog webhook={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

interface WebhookRowProps {
  webhook: Webhook;
  onEdit: () => void;
  onShow: () => void;
  onRotated: (webhook: WebhookWithSecret) => void;
}

function WebhookRow({ webhook, onEdit, onShow, onRotated }: WebhookRowProps) {
  const { t } = useTranslation('webhooks');
  const { id, url, events, last_state } = webhook;
  const params = { id };
  const refreshes = ['webhooks'] as const;
  const deletion = useCommand(deleteWebhook, {
    params,
    refreshes,
    waits: true,
    doneText: () => t('deleted'),
  });
  const rotation = useCommand(rotateWebhook, { params, refreshes, done: onRotated });
  const remove = async () => {
    const isMeant = await confirm({
      title: t('deleteTitle'),
      text: t('deleteText', { url }),
      confirmLabel: t('action.delete'),
      tone: 'danger',
    });
    if (isMeant) await deletion.send();
  };
  const rotate = async () => {
    const isMeant = await confirm({
      title: t('rotateTitle'),
      text: t('rotateText'),
      confirmLabel: t('rotate'),
    });
    if (isMeant) await rotation.send();
  };
  return (
    <AccessRow
      icon={WebhookIcon}
      name={url}
      text={events.map((one) => t(`event.${one}`)).join(', ')}
    >
      {last_state === 'failed' && <Badge tone="error">{t('state.failed')}</Badge>}
      <span className="only-wide">
        <Button size="small" aria-label={t('deliveriesOf', { url })} onClick={onShow}>
          {t('deliveries')}
        </Button>
      </span>
      <MoreMenu
        label={t('moreOf', { url })}
        entries={[
          { name: 'deliveries', icon: Send, text: t('deliveries'), act: onShow },
          { name: 'edit', icon: Pencil, text: t('action.edit'), act: onEdit },
          { name: 'rotate', icon: RefreshCw, text: t('rotate'), act: () => void rotate() },
          { name: 'delete', icon: Trash2, text: t('action.delete'), act: () => void remove() },
        ]}
      />
    </AccessRow>
  );
}

import { mendServer } from '@linekeeper/contract/servers/compare.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Send, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { results } from '../../../shared/state/results.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { Caption, Row } from '../../../shared/ui/vocabulary.tsx';
import styles from '../servers.module.css';

/** Queues the lost accounts for delivery; they count as missing until delivered. */
function DeliverAgain({ server, onQueued }: { server: Server; onQueued?: () => void }) {
  const { t } = useTranslation('servers');
  const mend = useCommand(mendServer, {
    params: { id: server.id },
    refreshes: ['servers'],
    done: ({ queued }) => {
      onQueued?.();
      results.success(t('compare.queued', { count: queued }));
    },
  });
  return (
    <Button
      size="small"
      icon={<Send />}
      pending={mend.isPending}
      onClick={() => void mend.send({ remove_unknown: false })}
    >
      {t('lost.deliver')}
    </Button>
  );
}

/**
 * The button disappears after a press; the returned function marks the press, and the focus then
 * moves to the heading.
 */
function useFocusLeftTo(headingId: string): () => void {
  const wasPressed = useRef(false);
  useEffect(
    () => () => {
      if (wasPressed.current && document.activeElement === document.body)
        document.getElementById(headingId)?.focus({ preventScroll: true });
    },
    [headingId],
  );
  return () => {
    wasPressed.current = true;
  };
}

/** Warning on a server's card: the server answers but lost accounts that it had. */
export function LostAccounts({ server, headingId }: { server: Server; headingId: string }) {
  const { t } = useTranslation('servers');
  const markPressed = useFocusLeftTo(headingId);
  return (
    <Row align="stretch" wraps className={styles.problem} data-tone="warning">
      <TriangleAlert size={18} />
      <div>
        <p>{t('lost.title', { count: server.accounts_missing })}</p>
        <Caption above={4} as="p">
          {t('lost.advice')}
        </Caption>
        <DeliverAgain server={server} onQueued={markPressed} />
      </div>
    </Row>
  );
}

export function LostAccountsBanner({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  if (server.accounts_missing === 0) return null;
  return (
    <div className={styles.banner}>
      <Banner
        tone="warning"
        title={t('lost.title', { count: server.accounts_missing })}
        action={<DeliverAgain server={server} />}
      >
        <p>{t('lost.advice')}</p>
      </Banner>
    </div>
  );
}

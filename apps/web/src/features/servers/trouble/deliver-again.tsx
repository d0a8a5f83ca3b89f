import { mendServer } from '@linekeeper/contract/servers/compare.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Send } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { results } from '#platform/state/results.ts';

interface DeliverAgainProps {
  server: Server;
  onQueued?: (() => void) | undefined;
}

/** The button that restores accounts which a card server has lost. They count as missing until they are delivered. */
export function DeliverAgain({ server, onQueued }: DeliverAgainProps) {
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
 * Moves the focus to the heading when the component disappears after its button was pressed. Call the returned
 * function on the press.
 */
export function useFocusLeftTo(headingId: string): () => void {
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

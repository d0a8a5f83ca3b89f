import { type Push, retryPushes } from '@linekeeper/contract/servers/sync.ts';
import { useTranslation } from 'react-i18next';
import { useSyncResults } from '#domain/lines/use-retry-sync.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { results } from '#platform/state/results.ts';

export function useRetry() {
  const { t } = useTranslation('sync');
  const told = useSyncResults();
  const { send, isPending } = useCommand(retryPushes, {
    refreshes: ['sync'],
    waits: true,
    isRepeatable: true,
  });
  const retryOne = (push: Push): Promise<void> => {
    const { id, username, server_name: server } = push;
    return send(
      { ids: [id] },
      {
        done: ({ sync, sync_finding }) => {
          // The reply has no sync state if the loop of the panel has delivered the change in the meantime.
          if (sync === null || sync.ok) results.success(t('taken', { username, server }));
          else told.stillRefused(username, sync_finding, () => void retryOne(push));
        },
      },
    );
  };
  const retryMany = (which: { ids: string[] } | { all: true }) =>
    send(which, { done: ({ retried }) => results.success(t('retried', { count: retried })) });
  return { retryOne, retryMany, isPending };
}

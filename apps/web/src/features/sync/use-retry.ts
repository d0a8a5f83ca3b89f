import { type Push, retryPushes } from '@linekeeper/contract/servers/sync.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { useSyncToasts } from '../../shared/lines/use-retry-sync.ts';
import { toast } from '../../shared/state/toast.ts';

/** Retries pushes and shows the results as toasts. */
export function useRetry() {
  const { t } = useTranslation('sync');
  const errorText = useErrorText();
  const toasts = useSyncToasts();
  const queryClient = useQueryClient();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (body: { ids: string[] } | { all: true }) => call(retryPushes, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sync'] }),
  });
  const fail = (error: unknown) => toast.error(errorText(error));
  // Awaited instead of using a mutation callback, which React Query drops when the row unmounts.
  const retryOne = async (push: Push): Promise<void> => {
    const { id, username, server_name: server } = push;
    try {
      const { sync, sync_finding } = await mutateAsync({ ids: [id] });
      // No sync state means that the push loop delivered the push first.
      if (sync === null || sync.ok) toast.success(t('taken', { username, server }));
      else toasts.stillRefused(username, sync_finding, () => void retryOne(push));
    } catch (error) {
      fail(error);
    }
  };
  const retryMany = (which: { ids: string[] } | { all: true }) =>
    mutateAsync(which).then(({ retried }) => toast.success(t('retried', { count: retried })), fail);
  return { retryOne, retryMany, isPending };
}

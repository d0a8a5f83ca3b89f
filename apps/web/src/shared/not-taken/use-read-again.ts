import { reloadServer, type Server } from '@linekeeper/contract/servers/servers.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { isolate } from '../i18n/isolate.ts';
import { useErrorText } from '../i18n/use-error-text.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';
import { toast } from '../state/toast.ts';

/** Has a card server read its accounts again, and says what came of it. */
export function useReadAgain({ id, server_name }: Pick<Server, 'id' | 'server_name'>) {
  const { t } = useTranslation();
  const findingText = useFindingText();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: () => call(reloadServer, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['servers'] }),
  });
  // Awaited instead of using a mutation callback, which React Query drops when the button unmounts.
  const readAgain = async () => {
    try {
      const { applied, finding } = await mutateAsync();
      const name = isolate(server_name);
      if (applied) toast.success(t('notTaken.done', { name: server_name }));
      else toast.warning(findingText(finding), { detail: name });
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  return { readAgain, isPending };
}

import { type Line, revealLine, syncLine } from '@linekeeper/contract/lines.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../shared/api/client.ts';
import { copyText } from '../../shared/copy-text.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/ui/toast.ts';

/** What can be done to a line from here. The palette closes; a toast tells the result. */
export function useLineActions({ id, username }: Line, onClose: () => void) {
  const { t } = useTranslation('palette');
  const errorText = useErrorText();
  const queryClient = useQueryClient();

  const copy = useMutation({
    mutationFn: async (what: 'username' | 'password') => {
      const text =
        what === 'username' ? username : (await call(revealLine, { params: { id } })).password;
      await copyText(text);
    },
    onSuccess: (_, what) => toast.success(t(`actions.${what}Copied`, { username })),
    onError: (error) =>
      toast.error(error instanceof ApiError ? errorText(error) : t('actions.notCopied')),
    // Copying needs the focus, which is inside the palette until it closes.
    onSettled: onClose,
  });
  const sync = useMutation({
    mutationFn: () => call(syncLine, { params: { id } }),
    onMutate: onClose,
    onSuccess: ({ sync: { ok, message } }) => {
      if (ok) toast.success(t('actions.synced', { username }));
      else toast.warning(message ?? t('actions.notSynced', { username }));
    },
    onError: (error) => toast.error(errorText(error)),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['lines'] }),
  });
  return {
    copyUsername: () => copy.mutate('username'),
    copyPassword: () => copy.mutate('password'),
    retrySync: () => sync.mutate(),
  };
}

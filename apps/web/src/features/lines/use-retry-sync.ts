import type { Line } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useSyncLine } from './queries.ts';

/** Pushes a line to its server now and says how it went. */
export function useRetrySync(line: Pick<Line, 'id' | 'username'>) {
  const { sync, warn, isPending } = useSync(line);
  const retry = async () => {
    if (!isPending) await sync();
  };
  return { retry, warn, isPending };
}

function useSync({ id, username }: Pick<Line, 'id' | 'username'>) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const pushMessage = usePushMessage();
  const { mutateAsync, isPending } = useSyncLine();
  // Awaited rather than given as a callback, which is dropped when the row loses its button.
  const sync = async () => {
    try {
      const { sync: result } = await mutateAsync(id);
      if (result.ok) toast.success(t('sync.done', { username }));
      else warn(result.message, t('done.saved'));
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  /** What is saved and not on its server is said until it is closed. */
  const warn = (message: string | null, detail: string) =>
    toast.warning(pushMessage(message), {
      detail: `${username}: ${detail}`,
      stays: true,
      action: { label: t('sync.retry'), onClick: () => void sync() },
    });
  return { sync, warn, isPending };
}

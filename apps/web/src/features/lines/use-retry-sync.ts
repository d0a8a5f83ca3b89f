import type { Line } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useSyncLine } from './queries.ts';

/** Pushes a line to its server now and says how it went. */
export function useRetrySync({ id, username }: Pick<Line, 'id' | 'username'>) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const pushMessage = usePushMessage();
  const { mutateAsync, isPending } = useSyncLine();
  // Awaited rather than given as a callback, which is dropped when the row loses its button.
  const retry = async () => {
    if (isPending) return;
    try {
      const { sync } = await mutateAsync(id);
      if (sync.ok) toast.success(t('sync.done', { username }));
      else toast.warning(pushMessage(sync.message));
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  return { retry, isPending };
}

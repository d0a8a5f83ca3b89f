import { CloudAlert, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { Button } from '../../shared/ui/button.tsx';
import type { CreatedLine } from './add-line-types.ts';
import { useSyncLine } from './queries.ts';

/** The line is sold, but its card server does not know it yet. */
export function SavedNotSynced({ created: { line, cost, sync: first } }: { created: CreatedLine }) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const pushMessage = usePushMessage();
  const { mutate, data, error, isPending } = useSyncLine();
  const sync = data?.sync ?? first;
  if (sync.ok) return <Banner tone="success" title={t('sync.done', { username: line.username })} />;
  return (
    <Banner
      tone="warning"
      icon={<CloudAlert />}
      title={error ? errorText(error) : pushMessage(sync.message)}
      action={
        <Button
          size="small"
          icon={<RefreshCw aria-hidden="true" />}
          pending={isPending}
          onClick={() => mutate(line.id)}
        >
          {t('sync.retry')}
        </Button>
      }
    >
      {cost > 0 ? t('done.savedAndPaid') : t('done.saved')}
    </Banner>
  );
}

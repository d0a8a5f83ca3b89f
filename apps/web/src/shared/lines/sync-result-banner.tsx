import type { Line, Sync } from '@linekeeper/contract/lines/lines.ts';
import { CloudAlert, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../format/format-moment.ts';
import { useErrorText } from '../i18n/use-error-text.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Banner } from '../ui/states/banner.tsx';
import { useSyncLine } from './queries.ts';

interface SyncResultBannerProps {
  line: Line;
  /** Result of the push after the sale. */
  sync: Sync;
  isPaid: boolean;
}

/**
 * Warns after a sale that the card server does not have the line yet. Retry in the banner pushes
 * the line again and updates the banner.
 */
export function SyncResultBanner({ line, sync: first, isPaid }: SyncResultBannerProps) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const findingText = useFindingText();
  const { mutate, data, error, isPending } = useSyncLine();
  const { sync, sync_finding } = data ?? { sync: first, sync_finding: line.sync_finding };
  if (sync.ok) {
    return (
      <div role="status">
        <Banner tone="success" title={t('line.sync.done', { username: line.username })} />
      </div>
    );
  }
  const time = data && formatTime(data.tried_at, i18n.language);
  return (
    <div role="status">
      <Banner
        tone="warning"
        icon={<CloudAlert />}
        title={error ? errorText(error) : findingText(sync_finding)}
        action={
          <Button
            size="small"
            icon={<RefreshCw aria-hidden="true" />}
            pending={isPending}
            onClick={() => mutate(line.id)}
          >
            {t('line.sync.retry')}
          </Button>
        }
      >
        {time && <p>{t('line.sync.stillRefused', { time })}</p>}
        <p>{isPaid ? t('line.sync.savedAndPaid') : t('line.sync.saved')}</p>
      </Banner>
    </div>
  );
}

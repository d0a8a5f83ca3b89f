import { type Line, type Sync, syncLine } from '@linekeeper/contract/lines/lines.ts';
import { CloudAlert, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../commands/use-command.ts';
import { formatTime } from '../format/format-moment.ts';
import { useErrorText } from '../i18n/use-error-text.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Banner } from '../ui/states/banner.tsx';
import { isPending } from './use-retry-sync.ts';

interface SyncResultBannerProps {
  line: Line;
  /** Result of the push after the sale. */
  result: { sync: Sync; sync_finding?: Line['sync_finding'] };
  isPaid: boolean;
}

/**
 * Warns after a sale that the card server does not have the line yet. Retry in the banner pushes
 * the line again and updates the banner.
 */
export function SyncResultBanner({ line, result, isPaid }: SyncResultBannerProps) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const findingText = useFindingText();
  const [tried, setTried] = useState<SyncResultBannerProps['result'] & { at: number }>();
  const { send, error, ...trying } = useCommand(syncLine, {
    params: { id: line.id },
    refreshes: ['lines', 'me'],
    isRepeatable: true,
    isSilent: true,
    done: (reply) => setTried({ ...reply, at: Date.now() }),
  });
  const { sync, sync_finding } = tried ?? result;
  const retry = (
    <Button
      size="small"
      icon={<RefreshCw aria-hidden="true" />}
      pending={trying.isPending}
      onClick={() => void send()}
    >
      {t('line.sync.retry')}
    </Button>
  );
  if (sync.ok) {
    return (
      <div role="status">
        <Banner tone="success" title={t('line.sync.done', { username: line.username })} />
      </div>
    );
  }
  if (!error && isPending(sync_finding)) {
    return (
      <div role="status">
        <Banner tone="info" title={findingText(sync_finding)} action={retry}>
          <p>{t('line.sync.deliversLater')}</p>
        </Banner>
      </div>
    );
  }
  const time = tried && !error && formatTime(tried.at, i18n.language);
  return (
    <div role="status">
      <Banner
        tone="warning"
        icon={<CloudAlert />}
        title={error ? errorText(error) : findingText(sync_finding)}
        action={retry}
      >
        {time && <p>{t('line.sync.stillRefused', { time })}</p>}
        <p>{isPaid ? t('line.sync.savedAndPaid') : t('line.sync.saved')}</p>
      </Banner>
    </div>
  );
}

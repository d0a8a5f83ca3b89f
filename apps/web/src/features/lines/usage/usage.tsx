import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lineUsage } from '@linekeeper/contract/lines/usage.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../../shared/api/call-query.ts';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { Stack } from '../../../shared/ui/vocabulary.tsx';
import { Month } from './month.tsx';
import type { UsageProps } from './part.tsx';
import { Sessions } from './sessions.tsx';
import { SharingNote } from './sharing-note.tsx';
import styles from './usage.module.css';
import { UsageSentence } from './usage-sentence.tsx';

/** Whether a line is online, what is wrong, and what it did in a month. */
export function LineUsage({ line, isPage }: { line: Line; isPage: boolean }) {
  const { data, error, refetch } = useQuery(
    callQuery('lines', lineUsage, { params: { id: line.id }, query: {} }),
  );
  if (data) return <Loaded line={line} usage={data} isPage={isPage} />;
  if (error) return <FailedPanel error={error} onRetry={() => void refetch()} />;
  return <div className={styles.waiting} aria-busy="true" />;
}

function Loaded(props: UsageProps) {
  const { isPage } = props;
  const { t } = useTranslation('line');
  const now = (
    <>
      <UsageSentence {...props} />
      <Sessions {...props} />
      <SharingNote {...props} />
    </>
  );
  if (!isPage) {
    return (
      <Stack gap={24}>
        {now}
        <Month {...props} />
      </Stack>
    );
  }
  return (
    <div className={styles.page}>
      <Stack gap={24} phoneGap={8} aria-label={t('usage.now')} as="section">
        {now}
      </Stack>
      <Month {...props} />
    </div>
  );
}

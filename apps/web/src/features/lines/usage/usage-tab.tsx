import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lineUsage } from '@linekeeper/contract/lines/usage.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Columns } from '#features/lines/columns.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { Month } from './month.tsx';
import { Sessions } from './sessions.tsx';
import { SharingNote } from './sharing-note.tsx';
import { UsageSentence } from './usage-sentence.tsx';

/** The tab with the usage of a line: its presence, its problem if there is one, and its last 30 days. */
export function UsageTab({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const { data, error, refetch } = useQuery(
    callQuery('lines', lineUsage, { params: { id: line.id }, query: {} }),
  );
  if (error && !data) return <FailedPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="min-h-120" aria-busy="true" />;
  const shown = { line, usage: data };
  return (
    <Columns isNarrowFirst>
      <section className="grid grid-cols-1 gap-6 phone:gap-2" aria-label={t('field.now')}>
        <UsageSentence {...shown} />
        <Sessions {...shown} />
        <SharingNote {...shown} />
      </section>
      <Month {...shown} />
    </Columns>
  );
}

import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isRunning, jobsQuery } from '#domain/jobs/queries.ts';
import { useJobTexts } from '#domain/jobs/use-job-texts.ts';
import { ListBody, Rows } from '#kit/list/list-body.tsx';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { ScrollArea, SheetDialog } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { useJobAddress } from './use-job-address.ts';

export function RecentJobs() {
  const { t } = useTranslation('bulk');
  const { close } = useJobAddress();
  const { data: jobs, error, refetch } = useQuery(jobsQuery());
  const columns = useColumns();
  return (
    <SheetDialog title={t('recent.title')} onClose={close}>
      <div>
        <ListBody
          state={{ count: jobs?.length, error, isFetching: false, retry: refetch }}
          isFiltered={false}
          toolbar={null}
          firstUse={<EmptyPanel icon={<History />} title={t('recent.none')} />}
          noMatch={null}
        >
          <Rows isLoading={!jobs} loadingText={t('loading')}>
            {(showsSkeleton) => (
              <ScrollArea label={t('recent.title')}>
                <SmallTable
                  isStacked
                  columns={columns}
                  rows={jobs}
                  rowId={({ id }) => id ?? ''}
                  showsSkeleton={showsSkeleton}
                />
              </ScrollArea>
            )}
          </Rows>
        </ListBody>
      </div>
    </SheetDialog>
  );
}

function useColumns(): Column<Job>[] {
  const { t } = useTranslation('bulk');
  const { name, result, progress } = useJobTexts();
  const { open } = useJobAddress();
  return [
    {
      id: 'job',
      kind: 'name',
      title: t('job'),
      cell: (job) => (
        <button type="button" className="link min-h-10" onClick={() => job.id && open(job.id)}>
          {name(job)}
        </button>
      ),
    },
    {
      id: 'ordered',
      title: t('recent.ordered'),
      look: 'quiet',
      cell: ({ created_at }) => created_at && <Timestamp value={created_at} />,
    },
    {
      id: 'result',
      title: t('field.result'),
      cell: (job) => (isRunning(job) ? progress(job) : result(job)),
    },
  ];
}

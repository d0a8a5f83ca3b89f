import type { Job } from '@linekeeper/contract/bulk.ts';
import { History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isRunning } from '../../shared/jobs/queries.ts';
import { EmptyPanel } from '../../shared/ui/empty-panel.tsx';
import { ScrollArea, SheetDialog } from '../../shared/ui/sheet-dialog.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import styles from './jobs.module.css';
import { useJobAddress } from './use-job-address.ts';
import { useJobTexts } from './use-job-texts.ts';

/** The own jobs of the last days. */
export function RecentJobs({ jobs }: { jobs: Job[] }) {
  const { t } = useTranslation('bulk');
  const { name, result, progress } = useJobTexts();
  const { open, close } = useJobAddress();
  return (
    <SheetDialog title={t('recent.title')} onClose={close}>
      {jobs.length === 0 ? (
        <EmptyPanel icon={<History />} title={t('recent.none')} text={t('recent.noneText')} />
      ) : (
        <ScrollArea label={t('recent.title')}>
          <ul className={styles.recent}>
            {jobs.map((job) => (
              <li key={job.id}>
                <button type="button" onClick={() => job.id && open(job.id)}>
                  <span>
                    <b>{name(job)}</b>
                    {job.created_at && <Timestamp value={job.created_at} />}
                  </span>
                  <span>{isRunning(job) ? progress(job) : result(job)}</span>
                </button>
              </li>
            ))}
          </ul>
        </ScrollArea>
      )}
    </SheetDialog>
  );
}

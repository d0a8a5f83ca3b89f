import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import styles from './jobs.module.css';

/** Time of the job, and the credits it cost or returned. */
export function JobFacts({ job }: { job: Job }) {
  const { t } = useTranslation('bulk');
  return (
    <>
      {job.undone_by && <p>{t('facts.undone')}</p>}
      <dl className={styles.facts}>
        {job.finished_at && (
          <div>
            <dt>{t('facts.finished')}</dt>
            <dd>
              <Timestamp value={job.finished_at} />
            </dd>
          </div>
        )}
        {job.cost !== 0 && (
          <div>
            <dt>{job.cost > 0 ? t('facts.paid') : t('facts.refunded')}</dt>
            <dd>{t('credits.amount', { count: Math.abs(job.cost) })}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

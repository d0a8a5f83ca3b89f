import type { Job } from '@linekeeper/contract/bulk.ts';
import { useTranslation } from 'react-i18next';
import { isRunning } from '../../shared/jobs/queries.ts';

/** A job in words: what it does, and what has become of it. */
export function useJobTexts() {
  const { t } = useTranslation('bulk');
  const name = (job: Job) => {
    // Rows of a file that were left out are not imported.
    const count = job.action === 'import' ? job.total - job.skipped : job.total;
    const lines = t('ofLines', { count });
    return t(isRunning(job) ? `running.${job.action}` : `name.${job.action}`, { lines });
  };
  const result = (job: Job) => {
    const parts = [
      t('result.done', { count: job.done }),
      ...(job.not_synced > 0 ? [t('result.notSynced', { count: job.not_synced })] : []),
      ...(job.failed > 0 ? [t('result.failed', { count: job.failed })] : []),
      ...(job.skipped > 0 ? [t('result.skipped', { count: job.skipped })] : []),
    ];
    const text = parts.join(', ');
    return job.state === 'cancelled' ? t('result.cancelled', { result: text }) : text;
  };
  /** Those finished one way or another. */
  const progress = (job: Job) =>
    t('progress', { done: job.done + job.failed + job.skipped, total: job.total });
  return { name, result, progress };
}

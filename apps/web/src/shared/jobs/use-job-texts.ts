import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { isRunning } from './queries.ts';

/** Formats a job's action and its progress or result. */
export function useJobTexts() {
  const { t } = useTranslation('bulk');
  const name = (job: Job) => {
    // For an import, `total` includes rows of the file that were skipped.
    const count = job.action === 'import' ? job.total - job.skipped : job.total;
    const isNamed = job.action === 'renew' || job.action === 'undo';
    const lines = (isNamed && job.username) || t('ofLines', { count });
    const action = job.arguments.undone === 'import' ? 'undoImport' : job.action;
    return t(isRunning(job) ? `running.${action}` : `name.${action}`, { lines });
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
  /** Counts lines as finished whether they succeeded, failed or were skipped. */
  const progress = (job: Job) =>
    t('progress', { done: job.done + job.failed + job.skipped, total: job.total });
  return { name, result, progress };
}

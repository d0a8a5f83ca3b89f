import { formatDay, parseDay } from '@linekeeper/contract/dates.ts';
import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { isolate } from '#platform/i18n/isolate.ts';

/** Actions whose jobs of one line name that line. */
const namesLine: readonly Job['action'][] = ['sell', 'renew', 'change_plan', 'move', 'undo'];

/** Formats a job's action and its progress or result. */
export function useJobTexts() {
  const { t, i18n } = useTranslation('bulk');
  const linesOf = (job: Job, count: number) =>
    (namesLine.includes(job.action) && job.username) || t('serverCard.lines', { count });
  const name = (job: Job) => {
    // For an import, `total` includes rows of the file that were skipped.
    const count = job.action === 'import' ? job.total - job.skipped : job.total;
    const action = job.arguments.undone === 'import' ? 'undoImport' : job.action;
    return t(`name.${action}`, { lines: linesOf(job, count) });
  };
  const problems = (job: Job) => [
    ...(job.pending > 0 && (job.not_synced > 0 || job.waits_on.length === 0)
      ? [t('result.pending', { count: job.pending })]
      : []),
    ...(job.failed > 0 ? [t('result.failed', { count: job.failed })] : []),
    ...(job.skipped > 0 ? [t('result.skipped', { count: job.skipped })] : []),
  ];
  /** Texts about the number of lines that are not on their servers yet, and the servers for which they wait. */
  const waits = ({ not_synced, pending, waits_on, total }: Job): string[] => {
    const count = waits_on.length > 0 ? not_synced || pending : not_synced;
    if (count === 0) return [];
    if (waits_on.length === 0) return [t('result.notSynced', { count })];
    const servers = new Intl.ListFormat(i18n.language).format(waits_on.map(isolate));
    return [t(total === 1 ? 'result.waits' : 'result.waitsMany', { servers, count })];
  };
  const result = (job: Job) => {
    const parts = [t('result.done', { count: job.done }), ...waits(job), ...problems(job)];
    const text = parts.join(', ');
    return job.state === 'cancelled' ? t('result.cancelled', { result: text }) : text;
  };
  /** The outcome of an ended job, in one sentence. */
  const said = (job: Job): string => {
    const { action, username, done, cost } = job;
    if (done === 0 || job.state === 'cancelled') {
      return t('said.other', { job: name(job), result: result(job) });
    }
    if (action === 'undo') return t('said.undo', { job: undoneName(job) });
    const day = parseDay(job.expiry_date ?? '');
    if (action === 'renew' && username && day) {
      return t('line.renewed', { username, day: formatDay(day) });
    }
    if (action === 'sell' && username) return saidOfSale(job, username, day);
    const credits = t('credits.amount', { count: cost });
    const lines = linesOf(job, done);
    const isPaid =
      cost > 0 && (action === 'renew' || action === 'change_plan' || action === 'import');
    if (action === 'readdress') return name(job);
    return isPaid ? t(`said.${action}For`, { lines, credits }) : t(`said.${action}`, { lines });
  };
  const saidOfSale = ({ arguments: given }: Job, username: string, day: string | null) => {
    if (given.is_trial) return t('said.sellTrial', { username });
    const months = given.subscription_months;
    if (typeof months !== 'number') {
      return t('said.sellUntil', { username, day: day ? formatDay(day) : '' });
    }
    return t('said.sell', { username, months: t('credits.months', { count: months }) });
  };
  /** The name of the job that was undone. */
  const undoneName = (job: Job) => {
    const undone = job.arguments.undone as Job['action'];
    return t(`name.${undone}`, { lines: linesOf(job, job.done) });
  };
  /**
   * Texts about the progress. Lines count as finished whether they succeeded, failed or were
   * skipped; an undo also names the servers for which it waits.
   */
  const progress = (job: Job) => {
    const done = job.done + job.failed + job.skipped;
    const parts = [t('progress', { done, total: job.total })];
    return [...parts, ...(job.action === 'undo' ? waits(job) : [])].join(', ');
  };
  return { name, result, said, waits, problems, progress };
}

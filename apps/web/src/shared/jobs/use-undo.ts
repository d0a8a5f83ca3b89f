import { type Job, undoJob } from '@linekeeper/contract/lines/bulk.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../commands/use-command.ts';
import { confirm } from '../ui/dialogs/confirm.tsx';
import { changedByJobs, jobQuery, useShowJob } from './queries.ts';
import { useJobTexts } from './use-job-texts.ts';
import { unwatchJob } from './watched-jobs.ts';

export type KnownJob = Job & { id: string };

/**
 * Undoes a job. It asks before only where not all comes back: credits, or what customers have entered.
 * `onFollowed` is called with the id of the job that undoes it.
 */
export function useUndo(onFollowed?: (id: string) => void) {
  const show = useShowJob();
  const ask = useQuestion();
  const undo = useCommand(undoJob, {
    input: ({ id }: KnownJob) => ({ params: { id } }),
    refreshes: changedByJobs,
    done: (reply, { id }) => {
      unwatchJob(id);
      show(reply.job);
      if (reply.job.id) onFollowed?.(reply.job.id);
    },
  });
  return {
    isPending: undo.isPending,
    undo: async (job: KnownJob) => {
      if (await ask(job)) await undo.send(job);
    },
  };
}

function undoTextOf({ action, arguments: given }: Job) {
  if (action === 'sell') return 'undo.sell';
  if (action !== 'import') return 'undo.text';
  return given.existing === 'extend' ? 'undo.importOrExtend' : 'undo.import';
}

/** True at once where all comes back. */
function useQuestion() {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  const queryClient = useQueryClient();
  return async (shown: KnownJob): Promise<boolean> => {
    // A line may have got to its server since the job was read.
    const job = await queryClient
      .fetchQuery({ ...jobQuery(shown.id, 'none'), staleTime: 0 })
      .catch(() => shown);
    const back = job.undo_refund ?? job.cost;
    const keepsSome = back < job.cost;
    const isImport = job.action === 'import';
    if (!keepsSome && job.to_tell === 0) return true;
    const credits = t('credits.amount', { count: job.cost });
    return confirm({
      title: t('undo.title', { job: name(job) }),
      text: [
        t(undoTextOf(job), { lines: job.username ?? t('ofLines', { count: job.done }) }),
        ...(job.to_tell > 0 ? [t('undo.tellAgain', { count: job.to_tell })] : []),
        ...(keepsSome ? [t(isImport ? 'undo.refundImport' : 'undo.keeps', { back, credits })] : []),
        ...(job.done > 1 ? [t('undo.changedSince')] : []),
      ].join(' '),
      confirmLabel: t('undo.confirm'),
    });
  };
}

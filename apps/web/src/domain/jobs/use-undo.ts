import { type Job, undoJob } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { changedByJobs, useShowJob } from './queries.ts';
import { useJobTexts } from './use-job-texts.ts';
import { unwatchJob } from './watched-jobs.ts';

export type KnownJob = Job & { id: string };

/**
 * Undoes a job. It asks before lines of a file are deleted, or if customers would have to enter
 * their old settings again. `onFollowed` is called with the id of the job that undoes it.
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
  if (action !== 'import') return 'undo.text';
  return given.existing === 'extend' ? 'undo.importOrExtend' : 'undo.import';
}

function useQuestion() {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  return async (job: KnownJob): Promise<boolean> => {
    if (job.action !== 'import' && job.to_tell === 0) return true;
    const credits = t('credits.amount', { count: job.cost });
    return confirm({
      title: t('undo.title', { job: name(job) }),
      text: [
        t(undoTextOf(job), { lines: job.username ?? t('serverCard.lines', { count: job.done }) }),
        ...(job.to_tell > 0 ? [t('undo.tellAgain', { count: job.to_tell })] : []),
        ...(job.cost > 0 ? [t('undo.refunded', { credits })] : []),
        ...(job.done > 1 ? [t('undo.changedSince')] : []),
      ].join(' '),
      confirmLabel: t('action.undo'),
    });
  };
}

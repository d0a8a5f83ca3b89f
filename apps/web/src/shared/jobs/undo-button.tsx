import { type Job, undoJob } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../commands/use-command.ts';
import { Button } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.tsx';
import { changedByJobs, isOneRenewal, useShowJob } from './queries.ts';
import { useJobTexts } from './use-job-texts.ts';
import { unwatchJob } from './watched-jobs.ts';

function undoTextOf({ action, arguments: given }: Job) {
  if (action !== 'import') return 'undo.text';
  return given.existing === 'extend' ? 'undo.importOrExtend' : 'undo.import';
}

interface UndoButtonProps {
  job: Job & { id: string };
  /** Called with the id of the job that undoes this one. */
  onFollowed?: ((id: string) => void) | undefined;
}

export function UndoButton({ job, onFollowed }: UndoButtonProps) {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  const show = useShowJob();
  const undo = useCommand(undoJob, {
    params: { id: job.id },
    refreshes: changedByJobs,
    // The job that undoes takes the place of the undone one on the screen.
    done: (reply) => {
      show(reply.job);
      unwatchJob(job.id);
      if (reply.job.id) onFollowed?.(reply.job.id);
    },
  });
  const ask = async () => {
    const isSure = await confirm({
      title: t('undo.title', { job: name(job) }),
      text: [
        t(undoTextOf(job), {
          lines: (isOneRenewal(job) && job.username) || t('ofLines', { count: job.done }),
        }),
        ...(job.cost > 0
          ? [
              t(job.action === 'import' ? 'undo.refundImport' : 'undo.refund', {
                credits: t('credits.amount', { count: job.cost }),
              }),
            ]
          : []),
        ...(isOneRenewal(job) ? [] : [t('undo.changedSince')]),
      ].join(' '),
      confirmLabel: t('undo.confirm'),
    });
    if (isSure) await undo.send();
  };
  return (
    <Button variant="text" size="small" pending={undo.isPending} onClick={ask}>
      {t('undo.button')}
    </Button>
  );
}

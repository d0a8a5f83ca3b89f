import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../i18n/use-error-text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { isOneRenewal, useUndoJob } from './queries.ts';
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

/** Takes a job back, after a question. */
export function UndoButton({ job, onFollowed }: UndoButtonProps) {
  const { t } = useTranslation('bulk');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const { name } = useJobTexts();
  const undo = useUndoJob();
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
                credits: common('credits.amount', { count: job.cost }),
              }),
            ]
          : []),
        ...(isOneRenewal(job) ? [] : [t('undo.changedSince')]),
      ].join(' '),
      confirmLabel: t('undo.confirm'),
    });
    if (!isSure) return;
    try {
      // The button is gone before the reply where a live change comes first, and with it the
      // callbacks of `mutate`.
      const reply = await undo.mutateAsync(job.id);
      unwatchJob(job.id);
      if (reply.job.id) onFollowed?.(reply.job.id);
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  return (
    <Button variant="text" size="small" pending={undo.isPending} onClick={ask}>
      {t('undo.button')}
    </Button>
  );
}

import type { Job } from '@linekeeper/contract/bulk.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { newIdempotencyKey } from '../../shared/api/client.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { csvAddress, jobQuery, useOrderJob } from '../../shared/jobs/queries.ts';
import { unwatchJob } from '../../shared/jobs/watched-jobs.ts';
import { paths } from '../../shared/paths.ts';
import { Button, buttonLook } from '../../shared/ui/button.tsx';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { confirm } from '../../shared/ui/confirm.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useUndoJob } from './queries.ts';
import { repeatedFor } from './repeat-job.ts';
import { useJobTexts } from './use-job-texts.ts';

interface JobActionsProps {
  job: Job & { id: string };
  /** The next job, which takes this one's place on the screen. */
  onFollowed?: (id: string) => void;
}

/** What can follow a job that has ended. */
export function JobActions({ job, onFollowed }: JobActionsProps) {
  return (
    <>
      <RetryButton job={job} onFollowed={onFollowed} />
      {job.not_synced > 0 && <NotSyncedLink />}
      {job.can_undo && <UndoButton job={job} onFollowed={onFollowed} />}
      <CsvLink id={job.id} />
    </>
  );
}

function NotSyncedLink() {
  const { t } = useTranslation('bulk');
  return (
    <ButtonLink to={paths.lines()} search={{ sync: 'failed' }} variant="text" size="small">
      {t('showNotSynced')}
    </ButtonLink>
  );
}

function CsvLink({ id }: { id: string }) {
  const { t } = useTranslation('bulk');
  return (
    <a {...buttonLook({ variant: 'text', size: 'small' })} href={csvAddress(id)} download>
      {t('csv')}
    </a>
  );
}

type FollowProps = Required<Pick<JobActionsProps, 'job'>> & {
  onFollowed: JobActionsProps['onFollowed'];
};

/** Does it again for the lines that failed. */
function RetryButton({ job, onFollowed }: FollowProps) {
  const { t } = useTranslation('bulk');
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const order = useOrderJob();
  if (job.failed === 0 || !repeatedFor(job, ['any'])) return null;
  const retry = async () => {
    try {
      const { items } = await queryClient.fetchQuery(jobQuery(job.id, 'failed'));
      const body = repeatedFor(
        job,
        items.flatMap(({ state, line_id }) => (state === 'failed' && line_id ? [line_id] : [])),
      );
      if (!body) return;
      const reply = await order.mutateAsync({ body, idempotencyKey: newIdempotencyKey() });
      unwatchJob(job.id);
      if (reply.job.id) onFollowed?.(reply.job.id);
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  return (
    <Button variant="text" size="small" pending={order.isPending} onClick={retry}>
      {t('retryFailed')}
    </Button>
  );
}

function UndoButton({ job, onFollowed }: FollowProps) {
  const { t } = useTranslation('bulk');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const { name } = useJobTexts();
  const undo = useUndoJob();
  const ask = async () => {
    const isSure = await confirm({
      title: t('undo.title', { job: name(job) }),
      text: [
        t('undo.text', { lines: t('ofLines', { count: job.done }) }),
        ...(job.cost > 0
          ? [t('undo.refund', { credits: common('credits.amount', { count: job.cost }) })]
          : []),
        t('undo.changedSince'),
      ].join(' '),
      confirmLabel: t('undo.confirm'),
    });
    if (!isSure) return;
    undo.mutate(job.id, {
      onSuccess: (reply) => {
        unwatchJob(job.id);
        if (reply.job.id) onFollowed?.(reply.job.id);
      },
      onError: (error) => toast.error(errorText(error)),
    });
  };
  return (
    <Button variant="text" size="small" pending={undo.isPending} onClick={ask}>
      {t('undo.button')}
    </Button>
  );
}

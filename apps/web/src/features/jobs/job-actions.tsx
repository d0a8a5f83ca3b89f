import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BulkBody } from '#domain/jobs/queries.ts';
import { csvAddress, jobQuery, useStartJob } from '#domain/jobs/queries.ts';
import { UndoButton } from '#domain/jobs/undo-button.tsx';
import { unwatchJob } from '#domain/jobs/watched-jobs.ts';
import { Button, buttonLook } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';

interface JobActionsProps {
  job: Job & { id: string };
  /** Called with the id of the follow-up job, to show it instead of this one. */
  onFollowed?: (id: string) => void;
}

/** Follow-ups of a finished job: retry, unsynced lines, undo, CSV. */
export function JobActions({ job, onFollowed }: JobActionsProps) {
  return (
    <>
      <RetryButton job={job} onFollowed={onFollowed} />
      {job.not_synced > 0 && <NotSyncedLink />}
      {job.can_undo && <UndoButton job={job} onFollowed={onFollowed} />}
      {job.to_tell > 0 && <CustomersLink job={job} />}
      <CsvLink id={job.id} />
    </>
  );
}

function NotSyncedLink() {
  const { t } = useTranslation('bulk');
  return (
    <ButtonLink to="/users/all" search={{ sync: 'failed' }} variant="text" size="small">
      {t('showNotSynced')}
    </ButtonLink>
  );
}

function CustomersLink({ job: { id, to_tell } }: Pick<JobActionsProps, 'job'>) {
  const { t } = useTranslation('bulk');
  return (
    <ButtonLink to="/users/tell/$id" params={{ id }} variant="text" size="small">
      {t('customers', { count: to_tell })}
    </ButtonLink>
  );
}

function CsvLink({ id }: { id: string }) {
  const { t } = useTranslation('bulk');
  return (
    <a {...buttonLook({ variant: 'text', size: 'small' })} href={csvAddress(id)} download>
      {t('action.downloadCsv')}
    </a>
  );
}

type FollowProps = Pick<JobActionsProps, 'job'> & {
  onFollowed?: JobActionsProps['onFollowed'] | undefined;
};

function RetryButton({ job, onFollowed }: FollowProps) {
  const { t } = useTranslation('bulk');
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const order = useStartJob();
  if (job.failed === 0 || !repeatedFor(job, ['any'])) return null;
  const done = ({ job: { id } }: { job: Job }) => {
    unwatchJob(job.id);
    if (id) onFollowed?.(id);
  };
  const retry = async () => {
    try {
      const { items } = await queryClient.fetchQuery(jobQuery(job.id, 'failed'));
      const body = repeatedFor(
        job,
        items.flatMap(({ state, line_id }) => (state === 'failed' && line_id ? [line_id] : [])),
      );
      if (body) await order.send(body, { done });
    } catch (error) {
      results.error(errorText(error));
    }
  };
  return (
    <Button variant="text" size="small" pending={order.isPending} onClick={retry}>
      {t('retryFailed')}
    </Button>
  );
}

/**
 * The request that repeats a job for the given lines; null for actions that cannot be repeated from
 * the stored job (import, undo, export) and for no lines.
 */
function repeatedFor({ action, arguments: given }: Job, ids: string[]): BulkBody | null {
  if (ids.length === 0) return null;
  switch (action) {
    case 'sell':
    case 'import':
    case 'undo':
    case 'export':
    case 'readdress':
    case 'edit_plan':
      return null;
    default:
      // The stored arguments of a job are the fields of its action.
      return { ...given, action, ids } as BulkBody;
  }
}

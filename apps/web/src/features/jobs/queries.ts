import { cancelJob, type Job, undoJob } from '@linekeeper/contract/bulk.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { useRefreshJobs, useShowJob } from '../../shared/jobs/queries.ts';

/** An import is done at once or not at all: once it runs there is nothing to stop. */
export function mayCancel({ action, state }: Job): boolean {
  return state === 'queued' || (state === 'running' && action !== 'import');
}

export function useCancelJob() {
  return useMutation({
    mutationFn: (id: string) => call(cancelJob, { params: { id } }),
    onSettled: useRefreshJobs(),
  });
}

/** The job that takes another back is shown in its place. */
export function useUndoJob() {
  const show = useShowJob();
  return useMutation({
    mutationFn: (id: string) => call(undoJob, { params: { id } }),
    onSuccess: ({ job }) => show(job),
    onSettled: useRefreshJobs(),
  });
}

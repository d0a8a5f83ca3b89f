import { cancelJob, type Job } from '@linekeeper/contract/lines/bulk.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { useRefreshJobs } from '../../shared/jobs/queries.ts';

/** An import runs in one transaction, so it cannot be cancelled once it has started. */
export function mayCancel({ action, state }: Job): boolean {
  return state === 'queued' || (state === 'running' && action !== 'import');
}

export function useCancelJob() {
  return useMutation({
    mutationFn: (id: string) => call(cancelJob, { params: { id } }),
    onSettled: useRefreshJobs(),
  });
}

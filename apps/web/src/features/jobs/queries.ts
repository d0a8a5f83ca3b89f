import { cancelJob, undoJob } from '@linekeeper/contract/bulk.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { useRefreshJobs } from '../../shared/jobs/queries.ts';
import { watchJob } from '../../shared/jobs/watched-jobs.ts';

export function useCancelJob() {
  return useMutation({
    mutationFn: (id: string) => call(cancelJob, { params: { id } }),
    onSettled: useRefreshJobs(),
  });
}

/** The job that takes another back is shown in its place. */
export function useUndoJob() {
  return useMutation({
    mutationFn: (id: string) => call(undoJob, { params: { id } }),
    onSuccess: ({ job }) => {
      if (job.id) watchJob(job.id);
    },
    onSettled: useRefreshJobs(),
  });
}

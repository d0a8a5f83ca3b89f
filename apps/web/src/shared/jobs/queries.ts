import { bulkLines, getJob, type Job, listJobs } from '@linekeeper/contract/bulk.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { wantDownload, watchJob } from './watched-jobs.ts';

/** Where no live change comes through; a job that runs is asked for this often anyway. */
const POLL_MS = 2000;
/** How long after its end servers are still being told, and a job asked for as if it ran. */
const SETTLING_MS = 30_000;
const HEALING_POLL_MS = 10_000;

export function isRunning({ state }: Job): boolean {
  return state === 'queued' || state === 'running';
}

/** Until what was done is on the servers too. */
function pollMs(jobs: readonly Job[]): number | false {
  const isSettling = (job: Job) =>
    isRunning(job) || Date.now() - Date.parse(job.finished_at ?? '') < SETTLING_MS;
  if (jobs.some(isSettling)) return POLL_MS;
  return jobs.some(({ not_synced }) => not_synced > 0) && HEALING_POLL_MS;
}

/** Every key here begins with 'jobs': that is what a live change of a job makes stale. */
export function jobsQuery() {
  return queryOptions({
    queryKey: ['jobs', 'list'],
    queryFn: async ({ signal }) => (await call(listJobs, {}, { signal })).items,
    refetchInterval: ({ state }) => pollMs(state.data ?? []),
  });
}

export function jobQuery(id: string, items: 'all' | 'failed' | 'none') {
  return queryOptions({
    queryKey: ['jobs', 'one', id, items],
    queryFn: ({ signal }) => call(getJob, { params: { id }, query: { items } }, { signal }),
    refetchInterval: ({ state }) => pollMs(state.data ? [state.data] : []),
  });
}

export type BulkBody = Body<typeof bulkLines>;

/** What jobs change, whether the reply came or was lost. */
export function useRefreshJobs(): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const key of ['jobs', 'lines', 'me']) {
      void queryClient.invalidateQueries({ queryKey: [key] });
    }
  };
}

interface Order {
  body: BulkBody;
  idempotencyKey: string;
  /** Its result is a file that was asked for just now. */
  downloads?: boolean;
}

/** A job that was just ordered is shown at once, not when the list of jobs is asked next. */
export function useShowJob(): (job: Job) => void {
  const queryClient = useQueryClient();
  return (job) => {
    if (!job.id) return;
    watchJob(job.id);
    queryClient.setQueryData(jobsQuery().queryKey, (jobs = []) => [
      job,
      ...jobs.filter(({ id }) => id !== job.id),
    ]);
  };
}

/** Orders work on many lines and shows how far it is from then on. */
export function useOrderJob() {
  const show = useShowJob();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: Order) => call(bulkLines, { body }, { idempotencyKey }),
    onSuccess: ({ job }, { downloads }) => {
      if (job.id && downloads) wantDownload(job.id);
      show(job);
    },
    onSettled: useRefreshJobs(),
    // The rows of an import hold passwords.
    gcTime: 0,
  });
}

export function csvAddress(id: string): string {
  return `/api/jobs/${id}/csv`;
}

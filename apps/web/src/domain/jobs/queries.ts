import type { Body } from '@linekeeper/contract/endpoint.ts';
import {
  bulkLines,
  getJob,
  type Job,
  listJobs,
  UNDO_MINUTES,
} from '@linekeeper/contract/lines/bulk.ts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCommand } from '#kit/commands/use-command.ts';
import { call } from '#platform/api/client.ts';
import { watchJob } from './watched-jobs.ts';

/** Polling interval of running jobs, and a fallback where live changes do not arrive. */
const POLL_MS = 2000;
/** Pushes to servers continue after a job ends, so the job is polled this much longer. */
const SETTLING_MS = 30_000;
const HEALING_POLL_MS = 10_000;
const UNDO_MS = UNDO_MINUTES * 60_000;

export function isRunning({ state }: Job): boolean {
  return state === 'queued' || state === 'running';
}

/** True for a job that is running or can still be undone. */
export function isOpen(job: Job): boolean {
  return isRunning(job) || job.can_undo;
}

const endedFor = ({ finished_at }: Job) => Date.now() - Date.parse(finished_at ?? '');

/** Milliseconds until the first of the jobs can no longer be undone, which causes no live change. */
function undoEndsMs(jobs: readonly Job[]): number | false {
  const left = jobs.flatMap((job) => (job.can_undo ? [UNDO_MS - endedFor(job)] : []));
  return left.length > 0 && Math.max(Math.min(...left), 0) + POLL_MS;
}

/** Polling interval until the changes have reached all servers; false stops polling. */
function pollMs(jobs: readonly Job[]): number | false {
  if (jobs.some((job) => isRunning(job) || endedFor(job) < SETTLING_MS)) return POLL_MS;
  if (jobs.some(({ not_synced, pending }) => not_synced + pending > 0)) return HEALING_POLL_MS;
  return undoEndsMs(jobs);
}

/**
 * The query of the newest jobs. The keys of all queries about jobs begin with 'jobs', by which events make them stale.
 */
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

/** Names of the queries whose replies a job may have changed. */
export const changedByJobs = ['jobs', 'lines', 'me'] as const;

/** Adds a job to the cached list immediately, before the list is refetched. */
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

/**
 * A function that fetches a job by its id and shows its progress in the header. For changes of one line, such as a
 * renewal, whose reply names only the job. Resolves to false if the job cannot be fetched.
 */
export function useShowStoredJob(): (id: string) => Promise<boolean> {
  const queryClient = useQueryClient();
  const show = useShowJob();
  return async (id) => {
    try {
      show(await queryClient.fetchQuery(jobQuery(id, 'all')));
      return true;
    } catch {
      return false;
    }
  };
}

/** Starts a bulk job and shows its progress. */
export function useStartJob(options: { isSilent?: boolean } = {}) {
  const show = useShowJob();
  return useCommand(bulkLines, {
    ...options,
    refreshes: changedByJobs,
    done: ({ job }) => show(job),
  });
}

export function csvAddress(id: string): string {
  return `/api/jobs/${id}/csv`;
}

export function customersAddress(id: string): string {
  return `${csvAddress(id)}?list=customers`;
}

import { keptInTab } from '#platform/browser/storage.ts';
import { createStore } from '#platform/state/create-store.ts';

const STORAGE_KEY = 'linekeeper:watched-jobs';
const MOST = 20;

/** Ids of jobs whose card this tab still has to show or has not dismissed. */
const watched = createStore(stored());
const downloads = new Set<string>();

function stored(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(keptInTab.read(STORAGE_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function keep(ids: readonly string[]): void {
  watched.set(ids.slice(-MOST));
  keptInTab.write(STORAGE_KEY, JSON.stringify(watched.get()));
}

export function watchJob(id: string): void {
  const ids = watched.get();
  if (!ids.includes(id)) keep([...ids, id]);
}

/** Stops watching a job, whose progress is no longer shown after that. Returns false if it was not watched. */
export function unwatchJob(id: string): boolean {
  const ids = watched.get();
  keep(ids.filter((other) => other !== id));
  return ids.includes(id);
}

export function requestDownload(id: string): void {
  downloads.add(id);
}

/** True if the job's file is to be downloaded; only the first call returns true. */
export function takeDownloadRequest(id: string): boolean {
  return downloads.delete(id);
}

export const useWatchedJobs = watched.use;

import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'linekeeper:watched-jobs';
const MOST = 20;

/** Ids of jobs whose card this tab still has to show or has not dismissed. */
let watched = stored();
const downloads = new Set<string>();
const listeners = new Set<() => void>();

function stored(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function keep(ids: readonly string[]): void {
  watched = ids.slice(-MOST);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(watched));
  } catch {
    // Storage may be blocked; a reload then loses the cards of finished jobs.
  }
  for (const listener of listeners) listener();
}

export function watchJob(id: string): void {
  if (!watched.includes(id)) keep([...watched, id]);
}

/** False where it was put away already. */
export function unwatchJob(id: string): boolean {
  const isWatched = watched.includes(id);
  keep(watched.filter((other) => other !== id));
  return isWatched;
}

export function requestDownload(id: string): void {
  downloads.add(id);
}

/** True if the job's file is to be downloaded; only the first call returns true. */
export function takeDownloadRequest(id: string): boolean {
  return downloads.delete(id);
}

export function useWatchedJobs(): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => watched,
  );
}

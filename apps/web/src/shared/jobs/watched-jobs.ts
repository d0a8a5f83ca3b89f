import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'linekeeper:watched-jobs';
const MOST = 20;

/** Jobs whose end this window has yet to tell, or has told and nobody has put away. */
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
    // Storage may be forbidden; a reload then forgets what has ended.
  }
  for (const listener of listeners) listener();
}

export function watchJob(id: string): void {
  if (!watched.includes(id)) keep([...watched, id]);
}

export function unwatchJob(id: string): void {
  keep(watched.filter((other) => other !== id));
}

export function wantDownload(id: string): void {
  downloads.add(id);
}

/** Whether the file of this job is wanted; yes once only. */
export function takeDownload(id: string): boolean {
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

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface FolderLock {
  folder: string;
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * The embedded database has no lock of its own: two openers would destroy it. SQLite's lock ends
 * with the process, however that ends. Throws at once where another process holds it.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const isHeld = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (!isHeld) throw error;
    throw new Error(`Another panel is already running on ${folder}`, { cause: error });
  }
  return { folder, release: () => lock.close() };
}

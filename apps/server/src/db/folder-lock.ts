import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from './make-folder.ts';

export interface FolderLock {
  folder: string;
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Locks the folder, because the embedded database has no lock and two processes would destroy it.
 * SQLite's lock ends with the process, however that ends. Throws at once if another process holds
 * it.
 */
export function lockFolder(folder: string): FolderLock {
  prepareFolder(folder);
  const lock = openLock(folder);
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

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Error(`The folder ${folder} (DATA_DIR) cannot be made: ${code}`, { cause: error });
  }
}

function openLock(folder: string): DatabaseSync {
  try {
    return new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`lock.db in ${folder} (DATA_DIR) cannot be opened for writing: ${words}`, {
      cause: error,
    });
  }
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf } from './files.ts';
import { makeFolder } from './make-folder.ts';

export type FolderLock = ReturnType<typeof lockFolder>;

const SQLITE_BUSY = 5;

export class HeldFolder extends Error {
  constructor(folder: string, cause: unknown) {
    super(`Another panel is already running on ${folder}, or a command is at work there`, {
      cause,
    });
  }
}

/**
 * Locks the folder, because the embedded database has no lock and two processes would destroy it.
 * SQLite's lock ends with the process, however that ends. Throws a HeldFolder at once if another
 * process holds it.
 */
export function lockFolder(folder: string) {
  const lock = openLock(folder);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const isHeld = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    throw isHeld ? new HeldFolder(folder, error) : error;
  }
  return { release: () => lock.close() };
}

function openLock(folder: string): DatabaseSync {
  try {
    makeFolder(folder);
  } catch (error) {
    const reason = codeOf(error) || error;
    throw new Error(`The folder ${folder} (DATA_DIR) cannot be made: ${reason}`, { cause: error });
  }
  try {
    return new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`lock.db in ${folder} (DATA_DIR) cannot be opened for writing: ${words}`, {
      cause: error,
    });
  }
}

import { closeSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { openStore, type Store } from '../store.ts';
import { type FileIdentity, identityOf, isBusy, isStill, takeLock } from './file-lock.ts';
import { type Places, rememberPlaces } from './places.ts';

export type OwnFolder = {
  store: Store;
  /** Locations of the card servers' files. */
  places: Places;
  /**
   * Throws a 503 `Refusal` if the folder was replaced, so that the next start would find other
   * data; `consequence` completes the message for the client, and `code` names both.
   */
  requireOwn(consequence: string, code?: string): void;
  close(): void;
};

const LOST = "The agent's folder is no longer the one it was started on.";
const REMEDY = 'Put it back, or restart the agent.';

/** Includes the write-ahead log, without which the database would be outdated. */
const OWN_FILES = ['agent.db', 'agent.db-wal', 'agent.lock'];

function inUse(dir: string): Error {
  return new Error(`AGENT_DIR ${dir} is already in use by another agent`);
}

/**
 * Keeps the folder open, because the inode number of a removed folder is reused unless it is still
 * open. Windows does not allow opening folders, nor removing a folder that contains open files.
 */
function holdOpen(dir: string): { identity: FileIdentity | undefined; close(): void } {
  if (process.platform === 'win32') return { identity: identityOf(dir), close: () => {} };
  const folder = openSync(dir, 'r');
  return { identity: fstatSync(folder, { bigint: true }), close: () => closeSync(folder) };
}

function openAccounts(path: string, dir: string): Store {
  try {
    return openStore(path);
  } catch (error) {
    if (isBusy(error)) throw inUse(dir);
    throw error;
  }
}

/**
 * Opens the accounts in `dir` and keeps other agents out by a lock file and by locking the
 * database, which still holds if the lock file is deleted. `fileNames` are the card servers' files
 * in the folder.
 */
export function openOwnFolder(dir: string, fileNames: string[]): OwnFolder {
  const undo: (() => void)[] = [];
  const close = () => {
    for (let step = undo.pop(); step; step = undo.pop()) step();
  };
  try {
    const held = holdOpen(dir);
    undo.push(held.close);
    const lock = takeLock(join(dir, 'agent.lock'));
    if (lock === null) throw inUse(dir);
    undo.push(lock.release);
    const store = openAccounts(join(dir, 'agent.db'), dir);
    undo.push(store.close);

    const files = OWN_FILES.map((name) => join(dir, name));
    const known = files.map((path) => identityOf(path));
    const places = rememberPlaces(dir, fileNames);
    const isOwn = () =>
      isStill(dir, held.identity) &&
      files.every((path, index) => isStill(path, known[index])) &&
      places.areKept();
    const requireOwn = (consequence: string, code = 'FOLDER_REPLACED') => {
      if (!isOwn()) throw new Refusal(503, `${LOST} ${consequence} ${REMEDY}`, {}, { code });
    };
    return { store, places, requireOwn, close };
  } catch (error) {
    close();
    throw error;
  }
}

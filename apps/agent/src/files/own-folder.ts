import { closeSync, fstatSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { openStore, type Store } from '../store.ts';
import { resolveTarget } from './atomic-write.ts';
import { type FileIdentity, identityOf, isBusy, isStill, takeLock } from './file-lock.ts';

type Places = ReturnType<typeof rememberPlaces>;

/**
 * Undefined if it cannot be resolved, for example behind an unmounted folder; a later write reports
 * why.
 */
function placeOf(path: string): string | undefined {
  try {
    return resolveTarget(path);
  } catch {
    return undefined;
  }
}

/**
 * Remembers the resolved location of each file. A card server reads its file there, so if a link
 * was removed, a regular file in its place would never be read. A file that does not exist yet may
 * still become a link until it is first written.
 */
function rememberPlaces(dir: string, fileNames: string[]) {
  const known = new Map<string, string>();
  for (const name of fileNames) {
    const path = join(dir, name);
    const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    const place = exists ? placeOf(path) : undefined;
    if (place !== undefined) known.set(name, place);
  }

  return {
    /** Records the location of a file at its first write. */
    remember(name: string, place: string): void {
      if (!known.has(name)) known.set(name, place);
    },

    /**
     * False if a file now resolves to another location. A file without a link may be recreated in
     * place.
     */
    areKept(): boolean {
      return [...known].every(([name, place]) => {
        const now = placeOf(join(dir, name));
        return now === undefined || now === place;
      });
    },
  };
}

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

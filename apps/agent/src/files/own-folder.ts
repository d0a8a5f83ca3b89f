import { closeSync, fstatSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { attempted } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { Store } from '../store.ts';
import { idAt, idOf, resolveTarget } from './atomic-write.ts';
import { isBusy } from './file-lock.ts';

/** The resolved place of a file; undefined behind an unmounted folder, for example, which a later write reports. */
const placeOf = (path: string) => attempted(() => resolveTarget(path));

export type OwnFolder = ReturnType<typeof openOwnFolder>;

/** The agent's own files, with the write-ahead log, without which the database would be outdated. */
const OWN_FILES = ['agent.db', 'agent.db-wal'];

/**
 * Keeps the folder open, because the inode number of a removed folder is reused unless it is still
 * open. Windows does not allow opening folders, nor removing a folder that contains open files.
 */
function holdOpen(dir: string): { id: string | undefined; close(): void } {
  if (process.platform === 'win32') return { id: idAt(dir), close: () => {} };
  const folder = openSync(dir, 'r');
  return { id: idOf(fstatSync(folder, { bigint: true })), close: () => closeSync(folder) };
}

/**
 * Opens the accounts in `dir`, whose database keeps other agents out. `fileNames` are the card servers' files in the
 * folder. Throws if another agent has the folder.
 */
export function openOwnFolder(dir: string, fileNames: string[]) {
  const opened = new DisposableStack();
  try {
    const held = holdOpen(dir);
    opened.defer(held.close);
    const store = new Store(join(dir, 'agent.db'));
    opened.defer(() => store.close());

    const files = OWN_FILES.map((name) => join(dir, name));
    const ids = new Map([[dir, held.id], ...files.map((path) => [path, idAt(path)] as const)]);
    // The first place of each file is remembered. A card server follows its link, so a file in place of the link would
    // never be read. A file that does not exist yet may still become a link until it is first written.
    const places = new Map<string, string>();
    const rememberPlace = (fileName: string, place: string | undefined) => {
      if (place !== undefined && !places.has(fileName)) places.set(fileName, place);
    };
    for (const name of fileNames) {
      const path = join(dir, name);
      if (lstatSync(path, { throwIfNoEntry: false })) rememberPlace(name, placeOf(path));
    }
    const isOwn = () =>
      [...ids].every(([path, id]) => id !== undefined && idAt(path) === id) &&
      [...places].every(([name, place]) => (placeOf(join(dir, name)) ?? place) === place);
    return {
      store,
      /** Stores a file's place; to be called at its first write. */
      rememberPlace,
      /**
       * Throws a 503 `Refusal` if the folder was replaced, so that the next start would find other data; `consequence`
       * completes the message for the client, and `code` identifies both.
       */
      requireOwn(consequence: string, code = 'FOLDER_REPLACED'): void {
        if (isOwn()) return;
        const lost = 'The agent’s folder is no longer the one it was started in.';
        const message = `${lost} ${consequence} Restore the original folder, or restart the agent.`;
        throw new Refusal(503, message, { code });
      },
      close: () => opened.dispose(),
    };
  } catch (error) {
    opened.dispose();
    throw isBusy(error) ? new Error(`AGENT_DIR ${dir} is already in use by another agent`) : error;
  }
}

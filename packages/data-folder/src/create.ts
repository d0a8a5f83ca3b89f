import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, databaseFolder, filesBelow, syncPath, UNFINISHED } from './files.ts';

const PROGRAM = fileURLToPath(new URL('create-files.ts', import.meta.url));

/**
 * Creates an empty database under a temporary name and renames it, so that an interrupted start
 * leaves either nothing or a complete database. Removes incomplete ones of earlier starts, which
 * never contained data.
 */
export async function createDatabase(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  // A unique name, because the program of a killed panel may still be writing to its own.
  const growing = await mkdtemp(join(folder, UNFINISHED));
  try {
    await makeFiles(growing);
    putOnDisk(growing);
    removeIfEmpty(databaseFolder(folder));
    renameSync(growing, databaseFolder(folder));
    syncPath(folder);
  } catch (error) {
    rmSync(growing, { recursive: true, force: true });
    throw error;
  }
}

/** In a separate process, because creating the files takes several times the memory of using them. */
async function makeFiles(root: string): Promise<void> {
  const child = fork(PROGRAM, [root], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let problem = '';
  child.on('message', (words) => {
    problem = String(words);
  });
  const [code, signal] = await once(child, 'exit');
  if (code === 0) return;
  throw new Error(problem || `No embedded database could be made (${signal ?? `code ${code}`})`);
}

/** Syncs the files before the rename, which must not survive a power failure without them. */
function putOnDisk(root: string): void {
  if (process.platform === 'win32') return;
  const paths = filesBelow(root).map((path) => join(root, path));
  for (const path of [...paths, ...new Set(paths.map(dirname))]) syncPath(path);
}

/** On some systems a folder cannot be renamed onto an existing one. Throws if that is not empty. */
function removeIfEmpty(root: string): void {
  try {
    rmdirSync(root);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

import { execFile, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databaseFolder, filesBelow, syncPath, UNFINISHED } from './files.ts';

const PROGRAM = fileURLToPath(new URL('create-files.ts', import.meta.url));

/** The files of an empty database, packed. Only a release has them. */
const PACKED = fileURLToPath(new URL('../empty-database.tar.gz', import.meta.url));

/**
 * Creates an empty database under a temporary name and renames it, so that an interrupted start
 * leaves either nothing or a complete database. Removes incomplete ones of earlier starts, which
 * never contained data.
 */
export async function createDatabase(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  // The name is unique, because the program of a killed panel may still be writing to its own folder.
  const growing = await mkdtemp(join(folder, UNFINISHED));
  try {
    await makeFiles(growing);
    // The files are synced first, because after a power failure the rename must not exist without them.
    const paths = filesBelow(growing).map((path) => join(growing, path));
    for (const path of [...paths, ...new Set(paths.map(dirname))]) syncPath(path);
    // On some systems a folder cannot be renamed onto an existing one, which is empty here.
    if (existsSync(databaseFolder(folder))) rmdirSync(databaseFolder(folder));
    renameSync(growing, databaseFolder(folder));
    syncPath(folder);
  } catch (error) {
    rmSync(growing, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Unpacks the files, or creates them in a separate process. Creating them takes 550 MB of memory, several times as much
 * as using them.
 */
async function makeFiles(root: string): Promise<void> {
  if (existsSync(PACKED)) {
    await promisify(execFile)('tar', ['-xzf', PACKED, '-C', root]);
    return;
  }
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
  const child = fork(PROGRAM, [root], { execArgv: [], stdio });
  let problem = '';
  child.on('message', (words) => {
    problem = String(words);
  });
  const [code, signal] = await once(child, 'exit');
  if (code === 0) return;
  throw new Error(problem || `No embedded database could be created (${signal ?? `code ${code}`})`);
}

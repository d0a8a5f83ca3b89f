import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  constants,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { type FileHandle, link, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { MountedAlone } from './unwritable.ts';

type FileState = {
  bytes: Buffer;
  /** Undefined if the file does not exist. */
  stat: BigIntStats | undefined;
  /** Open for reading if the file exists; the caller closes it. */
  handle: FileHandle | undefined;
};

const MAX_LINKS = 40;
const CHUNK_BYTES = 256 * 1024;
/** Index of the mount point in a line of Linux's `mountinfo`. */
const POINT_FIELD = 4;

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Resolves symbolic links, also to a file that does not exist yet, because a rename onto a link
 * would replace the link.
 */
export function resolveTarget(path: string): string {
  let current = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const dir = realpathSync.native(dirname(current));
    current = join(dir, basename(current));
    const link = linkOf(current);
    if (link === undefined) return current;
    current = resolve(dir, link);
  }
  throw new Error('too many symbolic links');
}

/** Changes whenever the file is written or replaced. */
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

export async function readAll(handle: FileHandle): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

export async function openState(path: string): Promise<FileState> {
  let handle: FileHandle;
  try {
    // O_NONBLOCK, because opening a pipe would block until something writes to it.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) return { stat: undefined, bytes: Buffer.alloc(0), handle: undefined };
    throw error;
  }
  try {
    // Stat before reading, so that a change in between makes the next fingerprint differ.
    const found = await handle.stat({ bigint: true });
    if (!found.isFile()) throw new Error('not a regular file');
    return { stat: found, bytes: await readAll(handle), handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export async function readWhole(path: string): Promise<Buffer> {
  const { bytes, handle } = await openState(path);
  await handle?.close();
  return bytes;
}

/** The places named in Linux's `mountinfo`, which writes blanks and the like as octal numbers. */
export function mountPoints(mountInfo: string): string[] {
  return mountInfo.split('\n').flatMap((line) => {
    const point = line.split(' ')[POINT_FIELD];
    if (point === undefined) return [];
    const bytes = point.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    return [Buffer.from(bytes, 'latin1').toString()];
  });
}

/** Undefined anywhere but on Linux. */
function readMountInfo(): string | undefined {
  try {
    return readFileSync('/proc/self/mountinfo', 'latin1');
  } catch {
    return undefined;
  }
}

/**
 * Whether the file, behind all links, is a mount of its own. Numbers of devices tell it only if nothing else does: in an
 * overlay of several file systems, a file has another one than its folder.
 */
export function isMountedAlone(target: string, mountInfo = readMountInfo()): boolean {
  if (mountInfo !== undefined) return mountPoints(mountInfo).includes(target);
  const file = statSync(target, { bigint: true, throwIfNoEntry: false });
  return file !== undefined && file.dev !== statSync(dirname(target), { bigint: true }).dev;
}

/** Hidden files of the agent beside a file begin so. */
export function ownPrefix(target: string): string {
  return `.${basename(target)}.linekeeper-`;
}

async function writeTemporary(path: string, bytes: Buffer, before: BigIntStats | undefined) {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    if (before) {
      // The card server may run as another user and must still be able to read the file. Only root can change the
      // owner; a member of its group can set the group. The caller sees in the written file what could not be kept.
      const [uid, gid] = [Number(before.uid), Number(before.gid)];
      await file.chown(uid, gid).catch(() => file.chown(-1, gid).catch(() => {}));
      await file.chmod(Number(before.mode) & 0o7777);
    }
    await file.sync();
    return await file.stat({ bigint: true });
  } finally {
    await file.close();
  }
}

/** A rename is durable only after its directory is synced. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

type Replacing = {
  /** Replaces the file even if something was appended to it since `before`; the caller recovers the appended text. */
  mayGrow: boolean;
  /** Called with the file that is about to take the place of the old one. */
  prepare(made: BigIntStats): void;
  /** Called immediately before the replacement; throws if writing is no longer allowed. */
  requireOwn(): void;
};

/** Creates the file; false if another process has created it meanwhile. */
async function putNew(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // The file system has no hard links.
    if (statSync(target, { throwIfNoEntry: false })) return false;
    renameSync(temporary, target);
  }
  return true;
}

/** Compares and renames synchronously, to leave other processes almost no time in between. */
function putOver(temporary: string, target: string, before: BigIntStats, mayGrow: boolean) {
  const now = statSync(target, { bigint: true, throwIfNoEntry: false });
  const hasGrown = now?.dev === before.dev && now.ino === before.ino && now.size > before.size;
  if (fingerprint(now) !== fingerprint(before) && !(mayGrow && hasGrown)) return false;
  renameSync(temporary, target);
  return true;
}

/**
 * Replaces a file atomically, so that readers see either the old or the new content. Returns
 * undefined without replacing if another process has written the file since `before` was read.
 */
export async function replaceFile(
  target: string,
  bytes: Buffer,
  before: FileState,
  { mayGrow, prepare, requireOwn }: Replacing,
): Promise<BigIntStats | undefined> {
  const random = randomBytes(8).toString('hex');
  const temporary = join(dirname(target), `${ownPrefix(target)}${random}`);
  try {
    const written = await writeTemporary(temporary, bytes, before.stat);
    requireOwn();
    prepare(written);
    const isReplaced = before.stat
      ? putOver(temporary, target, before.stat, mayGrow)
      : await putNew(temporary, target);
    await rm(temporary, { force: true });
    if (!isReplaced) return undefined;
    await syncDirectory(dirname(target));
    return written;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw hasCode(error, 'EBUSY') ? new MountedAlone() : error;
  }
}

/** Removes temporary files left by a process that was killed during a write. */
export async function removeStaleTemporaries(target: string): Promise<void> {
  const dir = dirname(target);
  const prefix = ownPrefix(target);
  for (const name of await readdir(dir)) {
    if (name.startsWith(prefix) && /^[0-9a-f]{16}$/.test(name.slice(prefix.length))) {
      await rm(join(dir, name), { force: true });
    }
  }
}

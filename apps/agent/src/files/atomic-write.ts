import { randomBytes } from 'node:crypto';
import {
  accessSync,
  type BigIntStats,
  constants,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { attempted, causeOf } from '../log.ts';

/** The file must not be written: another agent writes it, or replacing it would separate it from its readers. */
export class Unwritable extends Error {}

export class HeldByAnother extends Unwritable {
  override message = 'already written by another agent';
}

/** The file has another agent's block, perhaps one that is not running: ours would replace its accounts. */
export class ForeignBlock extends Unwritable {
  constructor(instance: string) {
    super(
      `holds the block of another agent, instance ${instance}: remove that block, or start with that agent's folder`,
    );
  }
}

/**
 * The error for a file that is a mount point itself, as when a container mounts one file. Renaming over it fails, or
 * leaves its readers with the old file.
 */
export const mountedAlone = () =>
  new Unwritable(
    'is mounted on its own and cannot be replaced: mount the folder that holds it instead',
  );

const MAX_LINKS = 40;
const CHUNK_BYTES = 256 * 1024;
/** Index of the mount point in a line of Linux's `mountinfo`. */
const POINT_FIELD = 4;

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
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
    const next = attempted(() => readlinkSync(current));
    if (next === undefined) return current;
    current = resolve(dir, next);
  }
  throw new Error('too many symbolic links');
}

export function idOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** The file at the end of all links; undefined without one. */
export function statAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

export function idAt(path: string): string | undefined {
  const found = statAt(path);
  return found && idOf(found);
}

/** A text that changes whenever the file is written or replaced. */
export function fingerprint(stat: BigIntStats | undefined): string {
  return stat ? `${idOf(stat)}:${stat.size}:${stat.mtimeNs}` : 'none';
}

/** Milliseconds without a change after which a file is whole: programs truncate a file to rewrite it. */
const SETTLED_AFTER_MS = 200;
/** Milliseconds to wait for the end of a rewrite, at most, because a caller waits for the response. */
export const MAX_SETTLE_MS = 2000;
export const SETTLE_LOOK_MS = 20;

/**
 * True if a file was last written so long ago that no rewrite can be in progress. A time in the future is from a clock
 * that was set back, and counts as long ago.
 */
export function hasSettled({ mtimeMs }: BigIntStats): boolean {
  return Math.abs(Date.now() - Number(mtimeMs)) >= SETTLED_AFTER_MS;
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

/** The content of a file, which stays open for reading until the caller closes it; empty if there is no file. */
export async function openState(path: string) {
  let handle: FileHandle | undefined;
  try {
    // O_NONBLOCK, because opening a pipe would block until something writes to it.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    // Stat before reading, so that a change in between makes the next fingerprint differ.
    const found = await handle.stat({ bigint: true });
    if (!found.isFile()) throw new Error('not a regular file');
    return { stat: found, bytes: await readAll(handle), handle };
  } catch (error) {
    await handle?.close();
    if (handle || !hasCode(error, 'ENOENT')) throw error;
    return { stat: undefined, bytes: Buffer.alloc(0), handle };
  }
}

export async function readWhole(path: string): Promise<Buffer> {
  const { bytes, handle } = await openState(path);
  await handle?.close();
  return bytes;
}

/** The mount points in Linux's `mountinfo`, which writes blanks and the like as octal numbers. */
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

/**
 * True if the file, after all links, is a separate mount; false on systems other than Linux. Device numbers do not show
 * it: in an overlay of several file systems, a file has another number than its folder.
 */
export function isMountedAlone(target: string): boolean {
  const mountInfo = attempted(() => readFileSync('/proc/self/mountinfo', 'latin1'));
  return mountPoints(mountInfo ?? '').includes(target);
}

/** Prefix of the agent's hidden files beside a file, before a random part. */
function hiddenPrefix(target: string, kind = ''): string {
  return `.${basename(target)}.linekeeper-${kind}`;
}

export function hiddenPath(target: string, kind = ''): string {
  return join(dirname(target), `${hiddenPrefix(target, kind)}${randomBytes(8).toString('hex')}`);
}

/** Paths of the agent's hidden files beside a file, which a killed agent may have left. */
export async function hiddenPaths(target: string, kind = ''): Promise<string[]> {
  const prefix = hiddenPrefix(target, kind);
  const isHidden = (name: string) =>
    name.startsWith(prefix) && /^[0-9a-f]{16}$/.test(name.slice(prefix.length));
  const names = await readdir(dirname(target));
  return names.filter(isHidden).map((name) => join(dirname(target), name));
}

/** Path of the lock file beside a file, by which one agent keeps others from it. */
export function lockPathOf(target: string): string {
  return join(dirname(target), hiddenPrefix(target, 'lock'));
}

const REASONS = ['EACCES', 'EPERM', 'EROFS'];

/** The operation, path and rights that keep the agent from writing, in words for the panel. */
export type Denied = NonNullable<ReturnType<typeof deniedBy>>;

function deniedBy(error: unknown, path: string) {
  const reason = REASONS.find((one) => one === causeOf(error));
  if (!reason) return undefined;
  const found = attempted(() => statSync(path));
  // Numbers of owner and group, and the rights, such as 1000:1000 755.
  const owner = found ? `${found.uid}:${found.gid} ${(found.mode & 0o7777).toString(8)}` : '?';
  // A user without a name is shown by its number.
  const user = attempted(() => userInfo().username) ?? String(process.getuid?.() ?? '?');
  return { reason, path, owner, user };
}

/**
 * The folder, file or lock that keeps the agent from writing a file; undefined if nothing does. The error of a failed
 * write is used, too, because some reasons are not visible in the file.
 */
export function deniedAt(path: string, failure?: unknown): Denied | undefined {
  let target: string;
  try {
    target = resolveTarget(path);
  } catch (error) {
    return deniedBy(failure ?? error, dirname(path));
  }
  const { R_OK, W_OK, X_OK } = constants;
  const asked: [path: string, mode: number][] = [
    [dirname(target), R_OK | W_OK | X_OK],
    [target, R_OK],
  ];
  // A lock that the agent holds needs no check: it stays valid even if its file has a new owner.
  if (failure !== undefined) asked.push([lockPathOf(target), R_OK | W_OK]);
  for (const [place, mode] of asked) {
    try {
      accessSync(place, mode);
    } catch (error) {
      const denied = deniedBy(error, place);
      if (denied) return denied;
    }
  }
  return deniedBy(failure, dirname(target));
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

/** Syncs a folder, because a rename is durable only after that. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

/** True if nobody has written the file since `before`, or others have only appended to it, which the caller merges. */
function isUnchanged(target: string, before: BigIntStats | undefined): boolean {
  const now = statAt(target);
  if (!now || !before) return now === before;
  return (
    fingerprint(now) === fingerprint(before) ||
    (idOf(now) === idOf(before) && now.size > before.size)
  );
}

/**
 * Replaces a file atomically, so that readers see either the old or the new content. Returns undefined without
 * replacing if another process has written the file since it was in the state `before`, unless it has only appended to
 * it. `prepare` is called immediately before with the new file, and throws if that is not allowed. Throws `Unwritable`
 * for a file that is mounted alone.
 */
export async function replaceFile(
  target: string,
  bytes: Buffer,
  before: BigIntStats | undefined,
  prepare: (made: BigIntStats) => void,
): Promise<BigIntStats | undefined> {
  const temporary = hiddenPath(target);
  try {
    const written = await writeTemporary(temporary, bytes, before);
    prepare(written);
    // The comparison is synchronous, to leave other processes almost no time before the rename.
    if (!isUnchanged(target, before)) {
      await rm(temporary);
      return undefined;
    }
    renameSync(temporary, target);
    await syncDirectory(dirname(target));
    return written;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw hasCode(error, 'EBUSY') ? mountedAlone() : error;
  }
}

import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '@linekeeper/data-folder/make-folder.ts';
import { codeOf } from '../../db/errors.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';

const MOMENT = String.raw`\d{4}-\d\d-\d\d-\d{6}`;
/** Errors of file systems that have no hard links, and of files that may not be linked. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);
const HOUR_MS = 60 * 60 * 1000;

const markEnd = (mark?: string) => (mark === undefined ? '' : `-${mark}`);
/** The ending of unfinished backups with any name, because the command accepts any name. */
const ANY_PART = /\.lkb\.gz(\.rows)?\.part$/;

/** The name of a file with the whole database. `mark` is common to all scheduled backups of one database. */
export function backupName(now: Date, mark?: string): string {
  const moment = now.toISOString().replace(/\..*/, '').replaceAll(':', '').replace('T', '-');
  return `linekeeper-${moment}${markEnd(mark)}.lkb.gz`;
}

/**
 * The name of a backup's file until it has been verified. `rowsPartOf` is that of its rows before they are compressed.
 */
export const partOf = (file: string) => `${file}.part`;
/**
 * The unique name of an unfinished backup: two commands that are given the same file name write to different files. The
 * finished one gets the name of `file`.
 */
export const ownPartOf = (file: string) =>
  partOf(file.replace(/\.lkb\.gz$/, `-${randomBytes(4).toString('hex')}.lkb.gz`));
export const rowsPartOf = (file: string) => `${file}.rows.part`;

/** Creates the folder if it is missing. Throws unless files can be created in it. */
export async function prepareFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found && !found.isDirectory()) throw new Error(`${folder} is a file, not a folder`);
  makeFolder(folder);
  const probe = join(folder, `.linekeeper-${process.pid}.part`);
  await (await open(probe, 'w', 0o600)).close();
  await rm(probe);
}

/** Removes the unfinished files that killed runs left of backups with this mark. */
export const removeParts = (folder: string, mark: string): Promise<void> =>
  removeMatching(
    folder,
    new RegExp(`^linekeeper-${MOMENT}${markEnd(mark)}\\.lkb\\.gz(\\.rows)?\\.part$`),
  );

/** Removes unfinished files of any backup that have not been written to for an hour. */
export const removeForgottenParts = (folder: string): Promise<void> =>
  removeMatching(folder, ANY_PART, Date.now() - HOUR_MS);

async function removeMatching(folder: string, names: RegExp, before = Infinity): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!names.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() && found.mtimeMs < before) await rm(path, { force: true });
  }
}

interface OldBackups {
  removed: string[];
  /** Backups whose names are of future moments, because a clock was wrong when they were made. */
  ahead: string[];
}

/**
 * The names of old backups among those of a folder: backups with this mark that are not among the newest `keep`. `made`
 * is the newest. A backup with a later date stays until that time has come; otherwise it would count as the newest, and
 * push out all that are made until then.
 */
export function oldBackups(
  folder: readonly string[],
  mark: string,
  keep: number,
  made: string,
): OldBackups {
  const ours = new RegExp(`^linekeeper-${MOMENT}${markEnd(mark)}\\.lkb\\.gz(\\.age)?(\\.part)?$`);
  const names = folder.filter((name) => ours.test(name)).sort();
  const past = names.filter((name) => name <= made);
  return {
    removed: past.slice(0, Math.max(0, past.length - keep)),
    ahead: names.filter((name) => name > made),
  };
}

export async function removeOldBackups(
  folder: string,
  mark: string,
  keep: number,
  made: string,
): Promise<OldBackups> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  // Encrypted backups are in this folder only if somebody has fetched them.
  const own = files.filter((name) => name.endsWith('.lkb.gz'));
  const old = oldBackups(own, mark, keep, made);
  for (const name of old.removed) await rm(join(folder, name), { force: true });
  return old;
}

const existsAlready = (file: string) => new Error(`${file} already exists and was not changed`);

export function refuseExisting(file: string): void {
  if (existsSync(file)) throw existsAlready(file);
}

async function syncFolderOf(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
}

/** Renames a finished part to `file`, and syncs the folder so that the name survives a power failure. */
export async function putInPlace(part: string, file: string): Promise<void> {
  await rename(part, file);
  await syncFolderOf(file);
}

/** Like `putInPlace`, but throws if a file with that name exists, even one that was created at the same moment. */
export async function putInNewPlace(part: string, file: string): Promise<void> {
  try {
    // A link is made instead of a rename, which would replace the other file.
    await link(part, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw existsAlready(file);
    if (!WITHOUT_LINKS.has(codeOf(error))) throw error;
    refuseExisting(file);
    return putInPlace(part, file);
  }
  await rm(part, { force: true });
  await syncFolderOf(file);
}

/** Size and SHA-256 of the file itself, as `sha256sum` prints it. */
export async function measure(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}

/** The error of a write to `path`. If it comes from the disk, its message names the path. */
export function aboutPath(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Error(`The disk is full: ${path} could not be written`, { cause: error });
  }
  if (!/^E[A-Z]+$/.test(code) || (error instanceof Error && error.message.includes(path))) {
    return error;
  }
  return new Error(`${path} could not be written: ${errorMessage(error)}`, { cause: error });
}

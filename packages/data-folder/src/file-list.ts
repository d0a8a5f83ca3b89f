import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlFile, readControlFile } from './control-file.ts';
import { filesBelow, syncPath } from './files.ts';
import { isLogFile, LOG_FILE_BYTES, LogWatch, logFileName, logFiles } from './log-files.ts';
import { databaseFolder, fileList } from './paths.ts';

interface FileList {
  /** The checkpoint that the list describes. */
  moment: string;
  /** True if tables dropped or truncated since the checkpoint have been removed from the list. */
  is_lasting: boolean;
  /** Size of every file by its path in the database's folder. */
  files: Record<string, number>;
}

/** Configuration that an operator may edit, and files that the database recreates. */
const MAY_DIFFER = /\.conf$|pg_internal\.init$|^postmaster\./;
/** A file of a table, an index or one of their maps; large ones have several files. */
const OF_TABLE = /^(?:base\/\d+|global)\/(\d+)(?:_[a-z]+)?(?:\.\d+)?$/;
const LOG_FOLDER = 'pg_wal/';
const COMMIT_STATES = /^pg_(?:xact|multixact)\//;
/** System tables have lower numbers and are never dropped. */
const FIRST_NUMBER_OF_OURS = 16_384;

function readControl(folder: string): ControlFile | null {
  const control = readControlFile(join(databaseFolder(folder), 'global/pg_control'));
  return typeof control === 'string' ? null : control;
}

const lengthOf = (folder: string, path: string) =>
  statSync(join(databaseFolder(folder), path), { throwIfNoEntry: false })?.size;

function numberOfTable(path: string): number | null {
  const number = OF_TABLE.exec(path)?.[1];
  return number === undefined ? null : Number(number);
}

function isOurTable(path: string): boolean {
  const number = numberOfTable(path);
  return number !== null && number >= FIRST_NUMBER_OF_OURS;
}

/**
 * Saves the list of files after the database was closed and before it is used. Nothing else in the
 * folder says which of its hundreds of files must exist until the database is opened, and that
 * changes it.
 */
export function rememberFiles(folder: string): void {
  const root = databaseFolder(folder);
  keepOldListOnError(folder, () => {
    const moment = readControl(folder)?.moment;
    if (moment === undefined || readList(folder)?.moment === moment) return;
    const paths = filesBelow(root).filter((path) => !MAY_DIFFER.test(path));
    const files = Object.fromEntries(paths.map((path) => [path, statSync(join(root, path)).size]));
    writeList(folder, { moment, is_lasting: false, files });
  });
}

/**
 * Removes tables that were dropped or truncated since the checkpoint, for example by a migration:
 * all files still listed must exist from now on, however the panel ends.
 */
export function rememberLasting(folder: string): void {
  keepOldListOnError(folder, () => {
    const list = readList(folder);
    if (list === null || list.moment !== readControl(folder)?.moment) return;
    const lasts = ([path, size]: [string, number]) =>
      !isOurTable(path) || (size > 0 && (lengthOf(folder, path) ?? 0) >= size);
    const files = Object.fromEntries(Object.entries(list.files).filter(lasts));
    writeList(folder, { ...list, is_lasting: true, files });
  });
}

/**
 * Adds new log files to the list at every `look`, which must precede acknowledging a change: if one
 * of these files is lost later, the next start notices.
 */
export function watchLog(folder: string): LogWatch | null {
  const control = readControl(folder);
  if (control === null) return null;
  return new LogWatch(databaseFolder(folder), control, () => rememberLog(folder));
}

function rememberLog(folder: string): void {
  keepOldListOnError(folder, () => {
    const list = readList(folder);
    if (list === null || list.moment !== readControl(folder)?.moment) return;
    const paths = logFiles(databaseFolder(folder)).map((name) => LOG_FOLDER + name);
    if (paths.every((path) => path in list.files)) return;
    const log = Object.fromEntries(paths.map((path) => [path, LOG_FILE_BYTES]));
    writeList(folder, { ...list, files: { ...list.files, ...log } });
  });
}

/**
 * Keeping the old list is safe: it contains fewer files, or describes another checkpoint and is
 * ignored.
 */
function keepOldListOnError(folder: string, write: () => void): void {
  try {
    write();
  } catch {
    rmSync(unfinishedList(folder), { force: true });
  }
}

const unfinishedList = (folder: string) => `${fileList(folder)}.part`;

function writeList(folder: string, list: FileList): void {
  writeFileSync(unfinishedList(folder), JSON.stringify(list), { mode: 0o600 });
  syncPath(unfinishedList(folder));
  renameSync(unfinishedList(folder), fileList(folder));
  syncPath(folder);
}

function readList(folder: string): FileList | null {
  try {
    return JSON.parse(readFileSync(fileList(folder), 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Returns a message about the first difference to the list; null if there is none or if the list
 * describes another time. All files of a closed database must be unchanged. In one that was not
 * closed, files may have grown, and some come and go; but the tables' content at the checkpoint
 * must exist, because the log only contains later changes.
 */
export function findLostFile(folder: string): string | null {
  const [list, control] = [readList(folder), readControl(folder)];
  if (list === null || control === null || list.moment !== control.moment) return null;
  const { wasShutDown } = control;
  for (const [path, size] of Object.entries(list.files)) {
    if (!wasShutDown && !mustStay(path, list, control)) continue;
    const found = lengthOf(folder, path);
    if (found === undefined) return `${path} is missing`;
    if (found < size || (wasShutDown && found !== size)) {
      return `${path} has ${found} bytes instead of ${size}`;
    }
  }
  return null;
}

function mustStay(path: string, { is_lasting }: FileList, control: ControlFile): boolean {
  if (COMMIT_STATES.test(path)) return true;
  if (path.startsWith(LOG_FOLDER)) return isStillRead(path.slice(LOG_FOLDER.length), control);
  return numberOfTable(path) !== null && (is_lasting || !isOurTable(path));
}

/** The database removes and renames log files before that position only. */
function isStillRead(name: string, { timeline, redo }: ControlFile): boolean {
  return isLogFile(name) && name >= logFileName(timeline, redo);
}

import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFolder, fileList, filesBelow, syncPath } from './files.ts';
import {
  type ControlFile,
  isLogFile,
  LOG_FILE_BYTES,
  logFileName,
  logFiles,
  readControlFile,
} from './log.ts';

interface FileList {
  /** Identifies the checkpoint that the list describes. */
  moment: string;
  /** True if tables dropped or truncated since the checkpoint have been removed from the list. */
  is_lasting: boolean;
  /** Size of every file by its path in the database's folder. */
  files: Record<string, number>;
}

/** Files that may differ: configuration that an operator may edit, and files that the database recreates. */
const MAY_DIFFER = /\.conf$|pg_internal\.init$|^postmaster\./;
/** The path of a file of a table, an index or one of their maps; large ones have several files. */
const OF_TABLE = /^(?:base\/\d+|global)\/(\d+)(?:_[a-z]+)?(?:\.\d+)?$/;
const LOG_FOLDER = 'pg_wal/';
const COMMIT_STATES = /^pg_(?:xact|multixact)\//;
/** The first number of the panel's own tables. System tables have lower numbers and are never dropped. */
const FIRST_NUMBER_OF_OURS = 16_384;

function readControl(folder: string): ControlFile | null {
  const control = readControlFile(folder);
  return typeof control === 'string' ? null : control;
}

const lengthOf = (folder: string, path: string) =>
  statSync(join(databaseFolder(folder), path), { throwIfNoEntry: false })?.size;

/** The number of the table or index of a file; undefined for other files. */
const numberOfTable = (path: string) => OF_TABLE.exec(path)?.[1];

const isOurTable = (path: string) => Number(numberOfTable(path) ?? 0) >= FIRST_NUMBER_OF_OURS;

/**
 * Saves the list of files of the data folder, after the database was closed and before it is opened again, which
 * changes the files. Nothing else in the folder shows which of its hundreds of files must exist.
 */
export function rememberFiles(folder: string): void {
  changeList(folder, (moment, list) => {
    if (list) return null;
    const paths = filesBelow(databaseFolder(folder)).filter((path) => !MAY_DIFFER.test(path));
    const sizes = paths.map((path) => [path, lengthOf(folder, path) ?? 0]);
    return { moment, is_lasting: false, files: Object.fromEntries(sizes) };
  });
}

/**
 * Removes tables from the list that were dropped or truncated since the checkpoint, for example by
 * a migration. All files still listed must exist from now on, even after a crash of the panel.
 */
export function rememberLasting(folder: string): void {
  changeList(folder, (_, list) => {
    if (!list) return null;
    const lasts = ([path, size]: [string, number]) =>
      !isOurTable(path) || (size > 0 && (lengthOf(folder, path) ?? 0) >= size);
    const files = Object.fromEntries(Object.entries(list.files).filter(lasts));
    return { ...list, is_lasting: true, files };
  });
}

/**
 * Returns a function that adds new log files to the list. It must be called before a change is acknowledged: if one of
 * these files is lost later, the next start notices.
 */
export function watchLog(folder: string): (() => void) | null {
  const control = readControl(folder);
  if (control === null) return null;
  let next = control.redo;
  const hasNext = () =>
    lengthOf(folder, LOG_FOLDER + logFileName(control.timeline, next)) !== undefined;
  const look = () => {
    if (!hasNext()) return;
    while (hasNext()) next += BigInt(LOG_FILE_BYTES);
    changeList(folder, (_, list) => {
      const paths = logFiles(folder).map((name) => LOG_FOLDER + name);
      if (!list || paths.every((path) => path in list.files)) return null;
      const log = Object.fromEntries(paths.map((path) => [path, LOG_FILE_BYTES]));
      return { ...list, files: { ...list.files, ...log } };
    });
  };
  look();
  return look;
}

/**
 * Replaces the list of this moment, which is null if there is none. Keeps the old one on errors, which is safe: it has
 * fewer files, or describes another checkpoint and is ignored.
 */
function changeList(
  folder: string,
  change: (moment: string, list: FileList | null) => FileList | null,
): void {
  const unfinished = `${fileList(folder)}.part`;
  try {
    const moment = readControl(folder)?.moment;
    if (moment === undefined) return;
    const before = readList(folder);
    const list = change(moment, before?.moment === moment ? before : null);
    if (list === null) return;
    writeFileSync(unfinished, JSON.stringify(list), { mode: 0o600 });
    syncPath(unfinished);
    renameSync(unfinished, fileList(folder));
    syncPath(folder);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

function readList(folder: string): FileList | null {
  try {
    return JSON.parse(readFileSync(fileList(folder), 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Returns a message about the first difference from the list; null if there is none or if the list describes another
 * checkpoint. All files of a closed database must be unchanged. In one that was not closed, files may have grown, and
 * some come and go; but the tables' content at the checkpoint must exist, because the log only contains later changes.
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

function mustStay(path: string, { is_lasting }: FileList, { timeline, redo }: ControlFile) {
  if (COMMIT_STATES.test(path)) return true;
  if (path.startsWith(LOG_FOLDER)) {
    // The database removes and renames log files before that position only.
    const name = path.slice(LOG_FOLDER.length);
    return isLogFile(name) && name >= logFileName(timeline, redo);
  }
  return numberOfTable(path) !== undefined && (is_lasting || !isOurTable(path));
}

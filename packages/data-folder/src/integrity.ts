import { accessSync, constants, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readControlFile } from './control-file.ts';
import { findLostFile } from './file-list.ts';
import { codeOf, filesBelow } from './files.ts';
import { LOG_FILE_BYTES, logFiles, missingLogFile } from './log-files.ts';
import { databaseFolder } from './paths.ts';

/** PostgreSQL version of PGlite. */
const VERSION = '18';
const MAP_BYTES = 524;
const PAGE_BYTES = 8192;

/** Present in every database; 1, 4 and 5 are the templates and the database in use. */
const FOLDERS = ['global', 'base/1', 'base/4', 'base/5', 'pg_wal', 'pg_xact', 'pg_multixact'];
/** Usually empty, so copy programs often omit them; the database crashes without them. */
const EMPTY_FOLDERS = [
  'pg_commit_ts',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_notify',
  'pg_replslot',
  'pg_tblspc',
  'pg_twophase',
];
const VERSIONS = ['PG_VERSION', 'base/1/PG_VERSION', 'base/4/PG_VERSION', 'base/5/PG_VERSION'];
const MAPS = ['global', 'base/1', 'base/4', 'base/5'].map((path) => `${path}/pg_filenode.map`);
const SETTINGS = ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf'];
const PAGED = ['pg_xact', 'pg_multixact/offsets', 'pg_multixact/members'];

/** The folder is not empty and not a database that can be opened. */
export class UnusableDatabase extends Error {
  constructor(folder: string, problem: string) {
    super(
      `The database in ${databaseFolder(folder)} cannot be used: ${problem}. It was not opened, and ` +
        'nothing in it was changed. Put right what is named, or move the folder away and restore a backup',
    );
    this.name = 'UnusableDatabase';
  }
}

/**
 * Throws UnusableDatabase unless all parts of a database exist. Must run before opening, because
 * the embedded database writes to its folder before it notices missing files, and creates a new
 * database over the old one if PG_VERSION is missing.
 */
export function refuseIncompleteDatabase(folder: string): void {
  const root = databaseFolder(folder);
  let problem: string | null;
  try {
    problem =
      missing(root) ??
      wrongVersion(root) ??
      wrongLog(root) ??
      findLostFile(folder) ??
      notOurs(root);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (problem !== null) throw new UnusableDatabase(folder, problem);
}

function missing(root: string): string | null {
  const found = statSync(root, { throwIfNoEntry: false });
  if (!found) return `it is a link to ${readlinkSync(root)}, where there is nothing`;
  if (!found.isDirectory()) return 'it is not a folder';
  if (readdirSync(root).length === 0) {
    return `it is a link to ${readlinkSync(root)}, which is empty`;
  }
  const isThere = (path: string) => statSync(join(root, path), { throwIfNoEntry: false });
  const files = [...VERSIONS, ...MAPS, 'global/pg_control', ...SETTINGS];
  const absent = [...FOLDERS, ...EMPTY_FOLDERS, ...PAGED, ...files].find((path) => !isThere(path));
  if (absent !== undefined) return `${absent} is missing`;
  const cut = MAPS.find((path) => statSync(join(root, path)).size !== MAP_BYTES);
  if (cut !== undefined) return `${cut} is cut`;
  const blank = SETTINGS.find((path) => statSync(join(root, path)).size === 0);
  return blank === undefined ? null : `${blank} is cut: it is empty`;
}

function wrongVersion(root: string): string | null {
  for (const path of VERSIONS) {
    const found = readFileSync(join(root, path), 'utf8').trim();
    if (found === VERSION) continue;
    return found === ''
      ? `${path} is cut: it is empty`
      : `${path} says version ${found.slice(0, 20)}, and this program needs ${VERSION}`;
  }
  return null;
}

/** Checks the control file and the log files from its checkpoint on. */
function wrongLog(root: string): string | null {
  const control = readControlFile(join(root, 'global/pg_control'));
  if (typeof control === 'string') return `global/pg_control ${control}`;
  const absent = missingLogFile(root, control);
  if (absent !== null) return `pg_wal/${absent} is missing`;
  const cut = logFiles(root).find(
    (name) => statSync(join(root, 'pg_wal', name)).size !== LOG_FILE_BYTES,
  );
  if (cut !== undefined) return `pg_wal/${cut} is cut`;
  // After a crash the last page may be incomplete; the log contains all of it.
  return control.wasShutDown ? wrongPages(root) : null;
}

/** These files record which transactions were committed, so none may be missing. */
function wrongPages(root: string): string | null {
  for (const folder of PAGED) {
    const names = readdirSync(join(root, folder));
    if (names.length === 0) return `${folder} is empty`;
    const cut = names.find((name) => {
      const { size } = statSync(join(root, folder, name));
      return size === 0 || size % PAGE_BYTES !== 0;
    });
    if (cut !== undefined) return `${folder}/${cut} is cut`;
  }
  return null;
}

/** A command run as another user leaves files that the panel cannot write. */
function notOurs(root: string): string | null {
  for (const path of ['', ...filesBelow(root)]) {
    try {
      accessSync(join(root, path), constants.R_OK | constants.W_OK);
    } catch (error) {
      const reason = codeOf(error) || error;
      return `${path || 'its folder'} cannot be read and written by this user (${reason})`;
    }
  }
  return null;
}

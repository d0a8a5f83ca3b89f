import { accessSync, constants, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { findLostFile } from './file-list.ts';
import { codeOf, databaseFolder, filesBelow } from './files.ts';
import { LOG_FILE_BYTES, logFiles, missingLogFile, readControlFile } from './log.ts';

/** PostgreSQL version of PGlite. */
const VERSION = '18';
const MAP_BYTES = 524;
const PAGE_BYTES = 8192;

/** Folders of every database; 1, 4 and 5 are the templates and the database in use. */
const FOLDERS = ['global', 'base/1', 'base/4', 'base/5', 'pg_wal', 'pg_xact', 'pg_multixact'];
/** Folders that are usually empty, so copy programs often omit them; the database crashes without them. */
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
const FILES = [...VERSIONS, ...MAPS, 'global/pg_control', ...SETTINGS];

/**
 * Checks that all parts of a database exist, and throws if one is missing. It must run before the
 * database is opened, because the embedded database writes to its folder before it notices missing
 * files, and creates a new database over the old one if PG_VERSION is missing.
 */
export function refuseIncompleteDatabase(folder: string): void {
  let problem: string | undefined;
  try {
    [problem] = problemsOf(folder);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (problem === undefined) return;
  throw new Error(
    `The database in ${databaseFolder(folder)} cannot be used: ${problem}. It was not opened, and ` +
      'nothing in it was changed. Repair this, or move the folder away and restore a backup',
  );
}

/** Yields problems one by one, because each may be the cause of the next. */
function* problemsOf(folder: string): Generator<string> {
  const root = databaseFolder(folder);
  const found = statSync(root, { throwIfNoEntry: false });
  if (!found) yield `it is a link to ${readlinkSync(root)}, where there is nothing`;
  if (!found?.isDirectory()) yield 'it is not a folder';
  if (readdirSync(root).length === 0) {
    yield `it is a link to ${readlinkSync(root)}, which is empty`;
  }
  const sizeOf = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.size;
  for (const path of [...FOLDERS, ...EMPTY_FOLDERS, ...PAGED, ...FILES]) {
    if (sizeOf(path) === undefined) yield `${path} is missing`;
  }
  for (const path of MAPS) if (sizeOf(path) !== MAP_BYTES) yield `${path} is incomplete`;
  for (const path of SETTINGS) if (sizeOf(path) === 0) yield `${path} is empty`;
  for (const path of VERSIONS) {
    const version = readFileSync(join(root, path), 'utf8').trim();
    if (version === '') yield `${path} is empty`;
    if (version !== VERSION) {
      yield `${path} has version ${version.slice(0, 20)}, and this program needs ${VERSION}`;
    }
  }
  const control = readControlFile(folder);
  if (typeof control === 'string') return yield `global/pg_control ${control}`;
  const absent = missingLogFile(folder, control);
  if (absent !== null) yield `pg_wal/${absent} is missing`;
  for (const name of logFiles(folder)) {
    if (sizeOf(join('pg_wal', name)) !== LOG_FILE_BYTES) yield `pg_wal/${name} is incomplete`;
  }
  // After a crash the last page may be incomplete, but the log contains its content.
  if (control.wasShutDown) yield* problemsOfPages(root);
  const lost = findLostFile(folder);
  if (lost !== null) yield lost;
  // A command run as another user leaves files that the panel cannot write.
  for (const path of ['', ...filesBelow(root)]) {
    try {
      accessSync(join(root, path), constants.R_OK | constants.W_OK);
    } catch (error) {
      const reason = codeOf(error) || error;
      yield `${path || 'its folder'} cannot be read and written by this user (${reason})`;
    }
  }
}

/**
 * Yields the problems of the files that record which transactions were committed. None of these files may be missing.
 */
function* problemsOfPages(root: string): Generator<string> {
  for (const folder of PAGED) {
    const names = readdirSync(join(root, folder));
    if (names.length === 0) yield `${folder} is empty`;
    for (const name of names) {
      const { size } = statSync(join(root, folder, name));
      if (size === 0 || size % PAGE_BYTES !== 0) yield `${folder}/${name} is incomplete`;
    }
  }
}

/**
 * Files of tables and indexes that are missing or too short: an index has at least one page, and if
 * the first page of a B-tree names a root (bytes 32 to 35), its table has or had rows. Tables do
 * not shrink without their indexes, because the embedded database is never vacuumed, or without
 * truncating.
 *
 * The empty tables' indexes are settled before any is read: otherwise every index is read for each
 * of those tables, twelve thousand times in all.
 */
const LOST_FILES = `
  with relation as materialized (
    select oid, relkind, relam, pg_relation_filepath(oid) as path,
      (pg_stat_file(pg_relation_filepath(oid), true)).size as size
    from pg_class where relkind in ('r', 'i', 'm', 't', 'S') and relpersistence = 'p'
  ), of_empty_table as materialized (
    select relation.path, relation.size, keys.path as keys_path
    from relation
      join pg_index on pg_index.indrelid = relation.oid
      join relation as keys on keys.oid = pg_index.indexrelid
      join pg_am on pg_am.oid = keys.relam and pg_am.amname = 'btree'
    where relation.size = 0 and relation.relkind in ('r', 'm', 't') and keys.size > 8192
  )
  select path, size::int from relation
    where size is null or (size = 0 and relkind in ('i', 'S'))
  union all
  select path, size::int from of_empty_table
    where pg_read_binary_file(keys_path, 32, 4, true) <> '\\x00000000'
  order by path limit 1`;

/**
 * Checks that the files of all tables exist and are not empty in a database that was just opened. Throws an error for
 * the operator if one is lost. A panel that was killed while starting has no earlier check.
 */
export async function refuseLostTables(lite: PGlite, folder: string): Promise<void> {
  const { rows } = await lite.query<{ path: string; size: number | null }>(LOST_FILES);
  const [lost] = rows;
  if (!lost) return;
  throw new Error(
    `The database in ${databaseFolder(folder)} cannot be used: ${lost.path} is ` +
      `${lost.size === null ? 'missing' : 'empty'}. Nothing was changed: only its ` +
      'log was read. Repair this, or move the folder away and restore a backup',
  );
}

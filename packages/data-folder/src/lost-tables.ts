import type { PGlite } from '@electric-sql/pglite';
import { databaseFolder } from './paths.ts';

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
 * Throws if the newly opened database refers to files that are missing or empty. This check is the
 * first one for panels killed while starting, or if the list of files describes another time.
 */
export async function refuseLostTables(lite: PGlite, folder: string): Promise<void> {
  const { rows } = await lite.query<{ path: string; size: number | null }>(LOST_FILES);
  const [lost] = rows;
  if (!lost) return;
  throw new Error(
    `The database in ${databaseFolder(folder)} cannot be used: ${lost.path} is ` +
      `${lost.size === null ? 'missing' : 'cut: it is empty'}. Nothing was done with it but to read ` +
      'its log. Put right what is named, or move the folder away and restore a backup',
  );
}

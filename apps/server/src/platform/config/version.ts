import manifest from '../../../package.json' with { type: 'json' };
import { appliedMigrations, pendingMigrations } from '../../db/migrate.ts';
import type { Db } from '../../db/transaction.ts';

/** The panel's version, as in CHANGELOG.md. */
export const { version } = manifest;

/** Compares the numbers of two versions; below 0 if `a` is older than `b`. */
export const compareVersions = (a: string, b: string): number =>
  a.localeCompare(b, 'en', { numeric: true });

/** True if the database has the schema that this version expects. Throws if the database is unavailable. */
export async function isSchemaCurrent(db: Db): Promise<boolean> {
  return (await pendingMigrations(db)).length === 0;
}

/** The last migration of the database. Throws if the database is unavailable. */
export async function newestMigration(db: Db): Promise<string> {
  return (await appliedMigrations(db)).at(-1) ?? '';
}

import { type Settings, type SettingsChanges, settings } from '@linekeeper/contract/settings.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../db/transaction.ts';

export async function readSettings(db: Db): Promise<Settings> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute();
  return settings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
}

export async function writeSettings(tx: Tx, changes: SettingsChanges): Promise<void> {
  const rows = Object.entries(changes).map(([key, value]) => ({
    key,
    value: JSON.stringify(value),
  }));
  if (rows.length > 0) await writeRows(tx, rows);
}

/**
 * A value that the panel itself stores in the table of settings, such as its keys for push services; undefined if it
 * has none under this key.
 */
export async function readKept(db: Db, key: string): Promise<unknown> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value;
}

/** Replaces a value that `readKept` reads. */
export const writeKept = (db: Db, key: string, value: object) =>
  writeRows(db, [{ key, value: JSON.stringify(value) }]);

async function writeRows(db: Db, rows: { key: string; value: string }[]): Promise<void> {
  await db
    .insertInto('settings')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: sql<string>`excluded.value` }),
    )
    .execute();
}

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

/** The value that the panel keeps under a key of its own. It is made when it is first needed, and stays. */
export async function keptOrMade<Value>(
  db: Db,
  key: string,
  make: () => Value | Promise<Value>,
): Promise<Value> {
  const kept = await readKept(db, key);
  if (kept !== undefined) return kept as Value;
  const value = await make();
  await db
    .insertInto('settings')
    .values({ key, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  // Another panel may have made one at the same time.
  return ((await readKept(db, key)) ?? value) as Value;
}

/** Replaces the value that the panel keeps under a key of its own. */
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

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
  if (rows.length === 0) return;
  await tx
    .insertInto('settings')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: sql<string>`excluded.value` }),
    )
    .execute();
}

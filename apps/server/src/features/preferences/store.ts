import {
  defaultPreferences,
  type Preferences,
  preferences,
} from '@linekeeper/contract/preferences.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/** A part that makes no sense any more, such as a column that is gone, is as if never chosen. */
function complete(stored: Record<string, unknown>): Preferences {
  const sound = Object.entries(preferences.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(stored[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return { ...defaultPreferences, ...Object.fromEntries(sound) };
}

export async function readPreferences(db: Db, accountId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('account_settings')
    .select('value')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return complete(row?.value ?? {});
}

/** Two browsers that change different parts at once both get theirs. */
export async function mergePreferences(
  db: Db,
  accountId: string,
  changes: Partial<Preferences>,
): Promise<void> {
  await db
    .insertInto('account_settings')
    .values({ account_id: accountId, value: JSON.stringify(changes) })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({
        value: sql<string>`account_settings.value || excluded.value`,
        updated_at: sql`now()`,
      }),
    )
    .execute();
}

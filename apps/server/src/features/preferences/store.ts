import {
  defaultPreferences,
  type ListName,
  listNames,
  type PreferenceChanges,
  type Preferences,
  preferences,
} from '@linekeeper/contract/lists/preferences.ts';
import type * as z from 'zod';
import type { Db } from '../../db/transaction.ts';
import { mailChoices, pushChoices } from '../../domain/notices/notify.ts';

type Stored = Record<string, unknown>;
const { lists: listsSchema, ...accountSchemas } = preferences.shape;

function asRecord(value: unknown): Stored {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Stored) : {};
}

/** The stored preferences that are declared and still valid. */
function soundParts(stored: Stored, schemas: Record<string, z.ZodType>): Stored {
  const sound = Object.entries(schemas).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(stored[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(sound);
}

/** The valid items, checked one by one, so that an invalid one does not discard the others. */
function soundItems(stored: unknown, schema: z.ZodType<unknown[]>): unknown[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((item) => schema.safeParse([item]).data ?? []);
}

function soundList(list: ListName, stored: Stored): Stored {
  const { shape } = listsSchema.shape[list];
  const columns = soundItems(stored.columns, shape.columns);
  return soundParts(
    {
      ...stored,
      columns: columns.length > 0 ? columns : stored.columns,
      views: soundItems(stored.views, shape.views),
    },
    shape,
  );
}

/** The preferences with defaults. An invalid part counts as not chosen; unknown columns are dropped. */
function complete(stored: Stored): Preferences {
  const storedLists = asRecord(stored.lists);
  const lists = listNames.map((list) => [
    list,
    { ...defaultPreferences.lists[list], ...soundList(list, asRecord(storedLists[list])) },
  ]);
  return {
    ...defaultPreferences,
    ...soundParts(stored, accountSchemas),
    mails: mailChoices(stored.mails),
    pushes: pushChoices(stored.pushes),
    lists: Object.fromEntries(lists),
  };
}

export async function readPreferences(db: Db, accountId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('account_settings')
    .select('value')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return complete(asRecord(row?.value));
}

/** The stored preferences with changes. Parts of a list, the mails and the pushes that are omitted stay unchanged, too. */
function merged(
  stored: Stored,
  { lists = {}, mails, pushes, ...changes }: PreferenceChanges,
): Stored {
  const before = asRecord(stored.lists);
  const changed = Object.entries(lists).map(([list, parts]) => [
    list,
    { ...asRecord(before[list]), ...parts },
  ]);
  // All kinds are stored with the first choice, so that two switched-off kinds do not count as all.
  const mailsNow = mails && { mails: { ...mailChoices(stored.mails), ...mails } };
  return {
    ...stored,
    ...changes,
    ...mailsNow,
    ...(pushes && { pushes: { ...pushChoices(stored.pushes), ...pushes } }),
    lists: { ...before, ...Object.fromEntries(changed) },
  };
}

/** Stores changes. Locks the row, so that two browsers that change different parts both succeed. */
export async function mergePreferences(
  tx: Db,
  accountId: string,
  changes: PreferenceChanges,
): Promise<void> {
  const { value } = await tx
    .insertInto('account_settings')
    .values({ account_id: accountId, value: '{}' })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ updated_at: new Date() }))
    .returning('value')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('account_settings')
    .set({ value: JSON.stringify(merged(asRecord(value), changes)), updated_at: new Date() })
    .where('account_id', '=', accountId)
    .execute();
}

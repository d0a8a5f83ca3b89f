import type { Db } from '../db/transaction.ts';
import type { Secrets } from './secrets.ts';

export const KEY_CHECK_NAME = 'secret_key_check';
const PLAIN = 'linekeeper';

export class WrongSecretKey extends Error {}

/**
 * The first start seals a known text; every later one must be able to open it. With another key no
 * password in the database opens and everybody's session ends, so the panel does not start at all.
 */
export async function checkSecretKey(db: Db, secrets: Secrets): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: KEY_CHECK_NAME, value: JSON.stringify(secrets.seal(PLAIN, KEY_CHECK_NAME)) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const sealed = await readKeyCheck(db);
  if (sealed !== null && opensKeyCheck(secrets, sealed)) return;
  throw new WrongSecretKey(
    'This database was made with another SECRET_KEY. Start the panel with that key (on the embedded database it stands in secret.key)',
  );
}

/** The sealed text; null where no panel has run yet. */
export async function readKeyCheck(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', KEY_CHECK_NAME)
    .executeTakeFirst();
  return row ? String(row.value) : null;
}

export function opensKeyCheck(secrets: Secrets, sealed: string): boolean {
  try {
    return secrets.open(sealed, KEY_CHECK_NAME) === PLAIN;
  } catch {
    // A text that does not open was sealed with another key.
    return false;
  }
}

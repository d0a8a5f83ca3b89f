import type { Db } from '../db/transaction.ts';
import type { Secrets } from './secrets.ts';

const NAME = 'secret_key_check';
const PLAIN = 'linekeeper';

export class WrongSecretKey extends Error {}

/**
 * The first start seals a known text; every later one must be able to open it. With another key no
 * password in the database opens and everybody's session ends, so the panel does not start at all.
 */
export async function checkSecretKey(db: Db, secrets: Secrets): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: NAME, value: JSON.stringify(secrets.seal(PLAIN, NAME)) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const { value } = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', NAME)
    .executeTakeFirstOrThrow();
  try {
    if (secrets.open(String(value), NAME) === PLAIN) return;
  } catch {
    // Falls through: a text that does not open was sealed with another key.
  }
  throw new WrongSecretKey(
    'This database was made with another SECRET_KEY. Start the panel with that key (on the embedded database it stands in secret.key)',
  );
}

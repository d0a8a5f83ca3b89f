import type { Db } from '../../db/transaction.ts';
import { keptOrMade, readKept } from '../settings.ts';
import type { Secrets } from './secrets.ts';

export const KEY_CHECK_NAME = 'secret_key_check';
const PLAIN = 'linekeeper';

export class WrongSecretKey extends Error {
  constructor() {
    super(
      'This database was encrypted with another SECRET_KEY. Start the panel with that key (with the ' +
        'embedded database, it is in secret.key; after a rotation with SECRET_KEY set, in secret.key.since-…)',
    );
  }
}

/**
 * Checks that SECRET_KEY is the database's key. The first start encrypts a known text; later starts must be able to
 * decrypt it. With another key no stored password could be decrypted and all sessions would end, so the panel refuses
 * to start. Throws a WrongSecretKey.
 */
export async function checkSecretKey(db: Db, secrets: Secrets): Promise<void> {
  const sealed = await keptOrMade(db, KEY_CHECK_NAME, () => secrets.seal(PLAIN, KEY_CHECK_NAME));
  if (!opensKeyCheck(secrets, sealed)) throw new WrongSecretKey();
}

/** The encrypted text by which the panel verifies its secret key; null if no panel has run on this database yet. */
export async function readKeyCheck(db: Db): Promise<string | null> {
  const kept = await readKept(db, KEY_CHECK_NAME);
  return kept === undefined ? null : String(kept);
}

export function opensKeyCheck(secrets: Secrets, sealed: string): boolean {
  try {
    return secrets.open(sealed, KEY_CHECK_NAME) === PLAIN;
  } catch {
    // The text was encrypted with another key, so this key is wrong.
    return false;
  }
}

import { randomBytes } from 'node:crypto';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { transact } from '../db/transaction.ts';
import { insertAccount } from '../domain/accounts/accounts.ts';
import type { Services } from '../domain/context/context.ts';
import { hashPassword } from '../platform/keys/passwords.ts';
import { lockName } from '../platform/rows.ts';

const DEFAULT_EMAIL = 'admin@linekeeper.local';

/** Prints a line for the operator; throws unless it could be written. */
export type Say = (line: string) => Promise<void>;

/**
 * Creates the first administrator at the very first start and prints the password before the
 * commit. If the commit then fails, the next start creates a new one; committing first could leave
 * a password that nobody has seen.
 */
export async function makeFirstAdministrator({ db, config }: Services, say: Say): Promise<void> {
  const email = config.admin_email ?? DEFAULT_EMAIL;
  const password = config.admin_password ?? randomBytes(12).toString('base64url');
  const anyone = await db.selectFrom('auth_users').select('id').limit(1).executeTakeFirst();
  if (anyone) return;
  const password_hash = await hashPassword(password);
  await transact(db, async (tx) => {
    // Two panels starting on one database create one administrator only.
    await lockName(tx, 'first administrator');
    const already = await tx.selectFrom('auth_users').select('id').limit(1).executeTakeFirst();
    if (already) return;
    await insertAccount(tx, {
      email,
      password_hash,
      email_verified: true,
      group_id: ADMIN_GROUP,
      owner_id: null,
      full_name: 'Administrator',
    });
    await say(`Administrator: ${email}`);
    // A password from the settings is not printed.
    if (!config.admin_password) await say(`Password: ${password}`);
  });
}

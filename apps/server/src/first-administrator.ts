import { randomBytes } from 'node:crypto';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { insertAccount } from './core/accounts.ts';
import type { Services } from './core/context.ts';
import { hashPassword } from './core/passwords.ts';
import { transact } from './db/transaction.ts';

const DEFAULT_EMAIL = 'admin@linekeeper.local';

/** Tells the operator; throws where nobody can have heard it. */
export type Say = (line: string) => Promise<void>;

/**
 * On the very first start there is nobody who could sign in: one administrator is made and told to the
 * operator, before it is committed. A password that was told and then lost is made anew; one that
 * was kept and never told could not be.
 */
export async function makeFirstAdministrator({ db, config }: Services, say: Say): Promise<void> {
  const email = config.admin_email ?? DEFAULT_EMAIL;
  const password = config.admin_password ?? randomBytes(12).toString('base64url');
  const anyone = await db.selectFrom('auth_users').select('id').limit(1).executeTakeFirst();
  if (anyone) return;
  const password_hash = await hashPassword(password);
  await transact(db, async (tx) => {
    // Two panels starting side by side on one database make one administrator.
    await sql`select pg_advisory_xact_lock(hashtext('first administrator'))`.execute(tx);
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
    // One that the operator named is not repeated.
    if (!config.admin_password) await say(`Password: ${password}`);
  });
}

import { randomBytes } from 'node:crypto';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { insertAccount } from './core/accounts.ts';
import type { Services } from './core/context.ts';
import { hashPassword } from './core/passwords.ts';
import { transact } from './db/transaction.ts';

const DEFAULT_EMAIL = 'admin@linekeeper.local';

export interface FirstAdministrator {
  email: string;
  /** null where the operator named it: then it is not repeated. */
  generated_password: string | null;
}

/** On the very first start there is nobody who could sign in: one administrator is made. */
export async function makeFirstAdministrator({
  db,
  config,
}: Services): Promise<FirstAdministrator | null> {
  const email = config.admin_email ?? DEFAULT_EMAIL;
  const generated_password = config.admin_password ? null : randomBytes(12).toString('base64url');
  const password = config.admin_password ?? generated_password ?? '';
  const anyone = await db.selectFrom('auth_users').select('id').limit(1).executeTakeFirst();
  if (anyone) return null;
  const password_hash = await hashPassword(password);
  return transact(db, async (tx) => {
    // Two panels starting side by side on one database make one administrator.
    await sql`select pg_advisory_xact_lock(hashtext('first administrator'))`.execute(tx);
    const already = await tx.selectFrom('auth_users').select('id').limit(1).executeTakeFirst();
    if (already) return null;
    await insertAccount(tx, {
      email,
      password_hash,
      email_verified: true,
      group_id: ADMIN_GROUP,
      owner_id: null,
      full_name: 'Administrator',
    });
    return { email, generated_password };
  });
}

import { email, newPassword } from '@linekeeper/contract/fields/fields.ts';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Db, transact } from '../../db/transaction.ts';
import { hashPassword } from '../../platform/keys/passwords.ts';
import { forgiveFailures } from '../../platform/rate-limit.ts';
import { auditAccount, panelOrigin } from '../audit/audit.ts';
import { lockAccount, storePassword } from './account-passwords.ts';
import { changeAccount, readAccount } from './accounts.ts';
import { endAccess } from './sessions.ts';
import { isTwoFactorOn, turnTwoFactorOff } from './two-factor.ts';

const MOST_NAMED = 5;

/**
 * The request of the operator's reset of a sign-in: the account, its new password, and whether two-factor sign-in ends.
 */
export const operatorReset = z.strictObject({
  email,
  password: newPassword,
  ends_two_factor: z.boolean(),
});
export type OperatorReset = z.infer<typeof operatorReset>;

/** The result of the operator's reset: how the account signs in now. */
export const operatorResetDone = z.strictObject({
  two_factor: z.enum(['off', 'on', 'turned_off']),
});
export type OperatorResetDone = z.infer<typeof operatorResetDone>;

/** Thrown if the operator's reset is refused. Its message gives the reason. */
export class NotReset extends Error {}

async function refuseUnknown(db: Db, given: string): Promise<never> {
  const { rows } = await sql<{ email: string }>`
    select email from auth_users where group_id = ${ADMIN_GROUP} and not banned
      order by created_at, id limit ${MOST_NAMED}`.execute(db);
  const names = rows.map(({ email }) => email).join(', ');
  throw new NotReset(
    `No account has the email ${given}. Administrators: ${names || 'none; start the panel once'}`,
  );
}

/**
 * Gives an account a new password on behalf of the machine's operator, who needs no further proof. Its
 * sessions, API keys, open links and unfinished sign-ins end.
 */
export async function resetByOperator(db: Db, asked: OperatorReset): Promise<OperatorResetDone> {
  const account = await readAccount(db, 'email', asked.email, ['id', 'email']);
  if (!account) return refuseUnknown(db, asked.email);
  const { id } = account;
  const hash = await hashPassword(asked.password);
  return transact(db, async (tx) => {
    const locked = await lockAccount(tx, id);
    if (!locked || locked.email !== asked.email) return refuseUnknown(tx, asked.email);
    if (locked.banned) {
      throw new NotReset(
        `${asked.email} is banned. Nothing was changed: an administrator has to unban it first`,
      );
    }
    const had = await isTwoFactorOn(tx, id);
    // This also removes a secret whose first code was never entered.
    if (asked.ends_two_factor) await turnTwoFactorOff(tx, id);
    await storePassword(tx, id, hash);
    await changeAccount(tx, id, { email_verified: true });
    await endAccess(tx, id);
    await forgiveFailures(tx, account);
    const two_factor = had ? (asked.ends_two_factor ? 'turned_off' : 'on') : 'off';
    const data = two_factor === 'turned_off' ? { two_factor: false } : {};
    await auditAccount(tx, panelOrigin, 'account.reset_on_machine', id, { data });
    return { two_factor };
  });
}

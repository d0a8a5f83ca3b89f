import * as contract from '@linekeeper/contract/accounts.ts';
import { sql } from 'kysely';
import { accountScope } from '../../core/access.ts';
import { findAccount } from '../../core/accounts/accounts.ts';
import { checkAdminStays, lockOtherAccount, withPowersNow } from '../../core/accounts/powers.ts';
import { endAccess } from '../../core/accounts/sessions.ts';
import { accountSubject } from '../../core/audit/audit-subjects.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';

async function setBanned(tx: Tx, id: string, banned: boolean): Promise<void> {
  await tx
    .updateTable('auth_users')
    .set({ banned, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('banned', '!=', banned)
    .execute();
}

/** Streams end by the triggers of the session's and the account's rows. */
export const banAccount: Mutation<typeof contract.banAccount, string> = {
  audit: { action: 'account.ban', subject: accountSubject, of: ({ params }) => params.id },
  commit: async (tx, ctx, { params: { id } }) => {
    const actor = await withPowersNow(tx, ctx.actor, contract.banAccount.access);
    const { is_admin } = await lockOtherAccount(tx, actor, id);
    if (is_admin) await checkAdminStays(tx, id);
    await setBanned(tx, id, true);
    await endAccess(tx, id);
    return id;
  },
  reply: async ({ db, actor }, id) => ({ account: await findAccount(db, accountScope(actor), id) }),
};

export const unbanAccount: Mutation<typeof contract.unbanAccount, string> = {
  audit: { action: 'account.unban', subject: accountSubject, of: ({ params }) => params.id },
  commit: async (tx, ctx, { params: { id } }) => {
    const actor = await withPowersNow(tx, ctx.actor, contract.unbanAccount.access);
    await lockOtherAccount(tx, actor, id);
    await setBanned(tx, id, false);
    return id;
  },
  reply: async ({ db, actor }, id) => ({ account: await findAccount(db, accountScope(actor), id) }),
};

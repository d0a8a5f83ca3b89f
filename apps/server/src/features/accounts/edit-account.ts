import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { findAccountFor } from '../../domain/accounts/account-acts.ts';
import { findAccount, type StoredAccount } from '../../domain/accounts/accounts.ts';
import {
  checkAdminStays,
  checkGrant,
  checkMembership,
  checkTouchable,
  lockMemberships,
  readPowers,
  requireSession,
} from '../../domain/accounts/powers.ts';
import { accountSubject } from '../../domain/audit/audit-subjects.ts';
import { changedAccountScope } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { forgetForeignNotices } from '../../domain/tickets/notices.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { moveAccount, readLosing } from './move-account.ts';

async function checkGroup(
  tx: Tx,
  ctx: Ctx,
  account: StoredAccount,
  group_id: string,
): Promise<void> {
  const { actor } = ctx;
  if (account.is_admin) await checkAdminStays(tx, account.id);
  if (account.id === actor.id) fail('OWN_GROUP');
  // To take away what one lacks would open the account to those who may only act upon lesser ones.
  checkGrant(actor, 'group_id', (await readPowers(tx, account.id))?.permissions ?? []);
  await checkMembership(tx, ctx, group_id);
}

export const editAccount: Mutation<typeof contract.editAccount, { id: string }> = {
  audit: { action: 'account.edit', subject: accountSubject, of: ({ params }) => params.id },
  // The account itself, and those from whom it is moved away.
  lessens: async (tx, { actor }, { params: { id }, body: { group_id, owner_id } }) => {
    const losing = owner_id === undefined ? [] : await readLosing(tx, id, owner_id);
    if (group_id !== undefined) losing.push(id);
    return losing
      .filter((account_id) => account_id !== actor.id)
      .map((account_id) => ({ account_id }));
  },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const { owner_id, ...fields } = body;
    const { group_id } = fields;
    const { actor } = ctx;
    if (group_id !== undefined) await lockMemberships(tx);
    const account = await findAccount(tx, changedAccountScope(actor), id);
    checkTouchable(actor, account);
    // Others change themselves by PATCH /api/me: notes are what those above write.
    if (id === actor.id && !actor.is_admin) failField('id', 'INVALID_USER_ID');
    if (group_id !== undefined && group_id !== account.group_id) {
      await checkGroup(tx, ctx, account, group_id);
      if (account.is_admin) requireSession(ctx);
    }
    await tx
      .updateTable('auth_users')
      .set({ ...fields, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute();
    if (account.is_admin && group_id !== undefined && group_id !== account.group_id) {
      await forgetForeignNotices(tx, id);
    }
    if (owner_id !== undefined) await moveAccount(tx, actor, id, owner_id);
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({
    account: await findAccountFor(db, actor, id),
  }),
};

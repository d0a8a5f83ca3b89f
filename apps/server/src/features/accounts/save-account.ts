import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import { USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { violates } from '../../db/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import {
  checkAdminRemains,
  checkGrant,
  checkMayChange,
  checkMembership,
  isAbove,
  lockMemberships,
  readAncestorIds,
  readPermissions,
  requireSession,
} from '../../domain/accounts/account-policy.ts';
import {
  changeAccount,
  findAccount,
  insertAccount,
  readAccount,
  type StoredAccount,
} from '../../domain/accounts/accounts.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { countInDay, newAccountsLimit } from '../../domain/accounts/daily-limits.ts';
import { accountSubject } from '../../domain/audit/audit-subjects.ts';
import { changedAccountScope, type SignedIn } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { refuseUnpaid } from '../../domain/credits/balance.ts';
import { holdPriceList } from '../../domain/credits/price-lists.ts';
import { notify } from '../../domain/notices/notify.ts';
import { forgetDeliveries } from '../../domain/notices/webhooks.ts';
import { forgetForeignNotices } from '../../domain/tickets/tickets.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { hashPassword, isCommonPassword } from '../../platform/keys/passwords.ts';
import { giveCredits } from './move-credits.ts';

interface Created {
  id: string;
  transfer_id: string | null;
}

export const createAccount: Mutation<typeof contract.createAccount, Created, string | null> = {
  audit: {
    action: 'account.create',
    subject: accountSubject,
    made: ({ id }) => id,
    // The transfer is part of this entry and has no other entry.
    data: ({ body }, { transfer_id }) => ({
      credits: body.credits,
      ...(transfer_id && { transfer_id }),
    }),
  },
  prepare: async (_ctx, { body }) => {
    if (body.password === undefined) return null;
    if (isCommonPassword(body.password)) failField('password', 'PASSWORD_TOO_COMMON');
    return hashPassword(body.password);
  },
  commit: async (tx, ctx, { body }, password_hash) => {
    const { actor } = ctx;
    const { credits, password: _, group_id = USER_GROUP, ...about } = body;
    await checkMembership(tx, ctx, group_id);
    await refuseUnpaid(tx, actor, credits);
    const owner_id = actor.is_admin ? null : actor.id;
    const row = { ...about, group_id, password_hash, email_verified: true, owner_id };
    const id = (await insertAccount(tx, row)) ?? fail('EMAIL_EXISTS');
    // The acting account needs no notification, because it creates the new account itself.
    const above = [...(await readAncestorIds(tx, id))].filter((one) => one !== actor.id);
    const notice = { event: 'new_account', facts: { email: body.email } } as const;
    const link = `/accounts/${id}`;
    await notify(
      tx,
      above.map((account_id) => ({ ...notice, account_id, link })),
    );
    // The first credits cause no notice, because the new account never had another balance.
    const transfer = credits > 0 ? await giveCredits(tx, actor, id, credits) : null;
    await countInDay(tx, actor, newAccountsLimit, 1);
    return { id, transfer_id: transfer?.id ?? null };
  },
  reply: async ({ db, actor }, { id }) => ({ account: await findAccountFor(db, actor, id) }),
};

/** Accounts above an account that would no longer be above it, except administrators, who may act on every account. */
async function readLosing(tx: Tx, id: string, owner_id: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select owner.id from account_tree above join auth_users owner on owner.id = above.ancestor_id
      where above.account_id = ${id} and above.depth > 0 and not owner.is_admin
        and not exists (select from account_tree next
          where next.account_id = ${owner_id} and next.ancestor_id = owner.id)`.execute(tx);
  return rows.map((owner) => owner.id);
}

/**
 * Puts an account and all accounts below it under another owner, or with null under none. The accounts that have lost
 * or gained it are notified; those above it both before and after are not. Throws ADMIN_ONLY_FIELD, INVALID_USER_ID and
 * ACCOUNT_CIRCLE.
 */
async function moveAccount(
  tx: Tx,
  actor: SignedIn,
  { id, email }: StoredAccount,
  owner_id: string | null,
): Promise<void> {
  if (!actor.is_admin) failField('owner_id', 'ADMIN_ONLY_FIELD');
  const isFound = owner_id === null || (await readAccount(tx, 'id', owner_id, ['id']));
  if (!isFound) failField('owner_id', 'INVALID_USER_ID');
  const before = await readAncestorIds(tx, id);
  await changeAccount(tx, id, { owner_id }).catch((error: unknown) => {
    // A trigger of the database refuses an account that would be below itself.
    if (violates(error, 'account_tree_no_circle')) failField('owner_id', 'ACCOUNT_CIRCLE');
    throw error;
  });
  const after = await readAncestorIds(tx, id);
  const moved = [
    { event: 'account_moved_away', ids: before.difference(after), link: '/accounts' },
    { event: 'account_moved_here', ids: after.difference(before), link: `/accounts/${id}` },
  ] as const;
  const notices = moved.flatMap(({ ids, event, link }) =>
    [...ids].map((account_id) => ({ event, facts: { email }, account_id, link })),
  );
  await notify(
    tx,
    notices.filter(({ account_id }) => account_id !== actor.id),
  );
}

/**
 * Checks that the actor may move the account to the group. Throws LAST_ADMIN, OWN_GROUP, or the
 * errors of `checkGrant` and `checkMembership`.
 */
async function checkGroup(
  tx: Tx,
  ctx: Ctx,
  account: StoredAccount,
  group_id: string,
): Promise<void> {
  const { actor } = ctx;
  if (account.is_admin) await checkAdminRemains(tx, account.id);
  if (account.id === actor.id) fail('OWN_GROUP');
  // An actor can only remove permissions that it has. Otherwise it could weaken the account, so
  // that accounts with fewer permissions may act on it.
  checkGrant(actor, 'group_id', (await readPermissions(tx, account.id))?.permissions ?? []);
  await checkMembership(tx, ctx, group_id);
}

export const editAccount: Mutation<typeof contract.editAccount, { id: string }> = {
  audit: { action: 'account.edit', subject: accountSubject },
  // The permissions of the account, and of the accounts that it leaves, may become fewer.
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
    checkMayChange(actor, account);
    // Other accounts edit themselves by PATCH /api/me: notes about an account are written by those above it.
    if (id === actor.id && !actor.is_admin) failField('id', 'INVALID_USER_ID');
    const leaves = group_id !== undefined && group_id !== account.group_id;
    if (leaves) {
      await checkGroup(tx, ctx, account, group_id);
      if (account.is_admin) requireSession(ctx);
    }
    if (fields.price_list_id !== undefined) {
      if (!(await isAbove(tx, actor, id))) failField('price_list_id', 'ABOVE_ONLY_FIELD');
      if (fields.price_list_id) await holdPriceList(tx, actor, fields.price_list_id, id);
    }
    await changeAccount(tx, id, fields);
    if (leaves && account.is_admin) {
      await forgetForeignNotices(tx, id);
      await forgetDeliveries(tx, id);
    }
    if (owner_id !== undefined) await moveAccount(tx, actor, account, owner_id);
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({ account: await findAccountFor(db, actor, id) }),
};

import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import { sql } from 'kysely';
import { violates } from '../../db/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import {
  checkAdminRemains,
  checkGrant,
  checkMayChange,
  checkMembership,
  lockMemberships,
  readAncestorIds,
  readPermissions,
  requireSession,
} from '../../domain/accounts/account-policy.ts';
import { findAccount, type StoredAccount } from '../../domain/accounts/accounts.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { accountSubject } from '../../domain/audit/audit-subjects.ts';
import { changedAccountScope, type SignedIn } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { notify } from '../../domain/notices/notify.ts';
import { forgetForeignNotices } from '../../domain/tickets/tickets.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';

/** Those above an account who would no longer be above it; administrators may act on every account. */
async function readLosing(tx: Tx, id: string, owner_id: string | null): Promise<string[]> {
  const rows = await tx
    .selectFrom('account_tree as above')
    .innerJoin('auth_users as owner', 'owner.id', 'above.ancestor_id')
    .select('above.ancestor_id')
    .where('above.account_id', '=', id)
    .where('above.depth', '>', 0)
    .where('owner.is_admin', '=', false)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('account_tree as next')
            .select('next.ancestor_id')
            .where('next.account_id', '=', owner_id)
            .whereRef('next.ancestor_id', '=', 'above.ancestor_id'),
        ),
      ),
    )
    .execute();
  return rows.map(({ ancestor_id }) => ancestor_id);
}

/**
 * Notifies the accounts that have lost or gained a moved account; those above it before and after get no
 * notice.
 */
async function notifyOwners(
  tx: Tx,
  actor: SignedIn,
  { id, email }: { id: string; email: string },
  before: Set<string>,
  after: Set<string>,
): Promise<void> {
  const [lost, gained] = [before.difference(after), after.difference(before)].map((ids) =>
    [...ids].filter((account_id) => account_id !== actor.id),
  ) as [string[], string[]];
  const facts = { email };
  await notify(tx, [
    ...lost.map((account_id) => {
      return { event: 'account_moved_away', facts, account_id, link: '/accounts' } as const;
    }),
    ...gained.map((account_id) => {
      const link = `/accounts/${id}`;
      return { event: 'account_moved_here', facts, account_id, link } as const;
    }),
  ]);
}

/** Puts an account and all accounts below it under another owner, or with null under none. */
async function moveAccount(
  tx: Tx,
  actor: SignedIn,
  id: string,
  owner_id: string | null,
): Promise<void> {
  if (!actor.is_admin) failField('owner_id', 'ADMIN_ONLY_FIELD');
  const owner =
    owner_id === null ||
    (await tx.selectFrom('auth_users').select('id').where('id', '=', owner_id).executeTakeFirst());
  if (!owner) failField('owner_id', 'INVALID_USER_ID');
  const before = await readAncestorIds(tx, id);
  try {
    const { email } = await tx
      .updateTable('auth_users')
      .set({ owner_id, updated_at: sql`now()` })
      .where('id', '=', id)
      .returning('email')
      .executeTakeFirstOrThrow();
    await notifyOwners(tx, actor, { id, email }, before, await readAncestorIds(tx, id));
  } catch (error) {
    // A trigger of the database refuses circles.
    if (violates(error, 'account_tree_no_circle')) failField('owner_id', 'ACCOUNT_CIRCLE');
    throw error;
  }
}

async function checkGroup(
  tx: Tx,
  ctx: Ctx,
  account: StoredAccount,
  group_id: string,
): Promise<void> {
  const { actor } = ctx;
  if (account.is_admin) await checkAdminRemains(tx, account.id);
  if (account.id === actor.id) fail('OWN_GROUP');
  // To take away what one lacks would open the account to those who may only act upon lesser ones.
  checkGrant(actor, 'group_id', (await readPermissions(tx, account.id))?.permissions ?? []);
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
    checkMayChange(actor, account);
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

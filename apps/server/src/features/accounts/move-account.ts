import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { readAbove } from '../../domain/accounts/standing.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import { notify } from '../../domain/notices/notify.ts';
import { failField } from '../../platform/errors/refusal.ts';

/** A trigger of the database refuses circles. */
function isCircle(error: unknown): boolean {
  return (
    error instanceof Error && 'constraint' in error && error.constraint === 'account_tree_no_circle'
  );
}

/** Those above an account who would no longer be above it; administrators may act on every account. */
export async function readLosing(tx: Tx, id: string, owner_id: string | null): Promise<string[]> {
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

/** Whoever is above the account before and after has it as before, and is not told. */
async function tellOwners(
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
export async function moveAccount(
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
  const before = await readAbove(tx, id);
  try {
    const { email } = await tx
      .updateTable('auth_users')
      .set({ owner_id, updated_at: sql`now()` })
      .where('id', '=', id)
      .returning('email')
      .executeTakeFirstOrThrow();
    await tellOwners(tx, actor, { id, email }, before, await readAbove(tx, id));
  } catch (error) {
    if (isCircle(error)) failField('owner_id', 'ACCOUNT_CIRCLE');
    throw error;
  }
}

import { sql } from 'kysely';
import type { SignedIn } from '../../core/access.ts';
import { failField } from '../../core/refusal.ts';
import type { Tx } from '../../db/transaction.ts';

/** A trigger of the database refuses circles. */
function isCircle(error: unknown): boolean {
  return (
    error instanceof Error && 'constraint' in error && error.constraint === 'account_tree_no_circle'
  );
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
  try {
    await tx
      .updateTable('auth_users')
      .set({ owner_id, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if (isCircle(error)) failField('owner_id', 'ACCOUNT_CIRCLE');
    throw error;
  }
}

import { type QueryCreator, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { notify } from '../notices/notify.ts';

interface Debited {
  /** The balance after the debit. */
  credits: number;
  is_admin: boolean;
  /** The account's own mark, as stored in its settings. */
  low_balance: unknown;
}

/**
 * Tells an account whose balance this debit has brought below its mark. The debit before has not, or the
 * balance rose above it since: so nothing has to be remembered, and of several debits at once, which wait
 * for each other, one crosses the mark.
 */
async function notifyLowBalance(
  tx: Tx,
  account_id: string,
  amount: number,
  { credits, is_admin, low_balance }: Debited,
): Promise<void> {
  if (is_admin || typeof low_balance !== 'number') return;
  if (credits >= low_balance || credits + amount < low_balance) return;
  await notify(tx, [
    {
      event: 'low_balance',
      facts: { credits, low_balance },
      account_id,
      link: '/payments/pricing',
    },
  ]);
}

/**
 * Takes credits from an account that has enough; returns its balance and its limit for the notice of a low
 * one.
 */
export const takingCredits = (
  db: QueryCreator<Database>,
  { id, amount }: Record<'id' | 'amount', string>,
) =>
  db
    .updateTable('auth_users')
    .set({ credits: sql`credits - ${amount}`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('credits', '>=', sql<number>`${amount}`)
    .returning([
      'credits',
      'is_admin',
      sql<unknown>`(select value -> 'low_balance' from account_settings
        where account_id = auth_users.id)`.as('low_balance'),
    ]);

const takeCredits = compiledQuery(['id', 'amount'], takingCredits);

/**
 * Takes credits and returns the balance. Throws INSUFFICIENT_CREDITS, or PAYER_MISSING if the account is
 * gone.
 */
export async function debit(tx: Tx, id: string, amount: number): Promise<number> {
  const [debited] = await takeCredits(tx, { id, amount });
  return afterDebit(tx, id, amount, debited);
}

/**
 * Notifies of a low balance after `takingCredits`, or throws the reason if it took none. Returns the
 * balance.
 */
export async function afterDebit(
  tx: Tx,
  id: string,
  amount: number,
  debited: Debited | undefined,
): Promise<number> {
  if (debited) {
    await notifyLowBalance(tx, id, amount, debited);
    return debited.credits;
  }
  const account = await tx
    .selectFrom('auth_users')
    .select('credits')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!account) return fail('PAYER_MISSING');
  return fail('INSUFFICIENT_CREDITS', { required: amount, available: account.credits });
}

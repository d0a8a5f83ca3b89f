import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type * as contract from '@linekeeper/contract/credits/redeem-codes.ts';
import { codeKey } from '@linekeeper/contract/credits/redeem-codes.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { type SqlBool, sql } from 'kysely';
import type { RedeemCodeHistoryTable } from '../../db/schema/top-up-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockBalance } from '../../domain/accounts/accounts.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { auditBalance } from '../../domain/credits/balance.ts';
import { ISSUANCE, moveCredits } from '../../domain/credits/credits.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { failTooManyAttempts, type Refusal, refusal } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { consumeLimit, readLimit, unknownCodesLimit } from '../../platform/rate-limit.ts';
import { hasExpired } from './store.ts';

type HistoryRow = Omit<RedeemCodeHistoryTable, 'id' | 'redeemed_at'>;

/** Uses a code once; undefined if it has no uses left. The statement that counts the use also checks the limit. */
async function useCode(tx: Tx, id: string): Promise<number | undefined> {
  const used = await tx
    .updateTable('redeem_codes')
    .set({ times_used: sql<number>`times_used + 1` })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where(sql<SqlBool>`times_used < max_uses`)
    .where(sql<SqlBool>`not ${hasExpired}`)
    .returning('credits')
    .executeTakeFirst();
  return used?.credits;
}

async function writeHistory(tx: Tx, row: HistoryRow): Promise<void> {
  await tx
    .insertInto('redeem_code_history')
    .values({ ...row, id: newId() })
    .execute();
}

/** Stores the failed attempt. Returns the refusal, which is thrown after the commit. */
async function failed(
  tx: Tx,
  tried: Pick<HistoryRow, 'code_id' | 'code' | 'user_id'>,
  code: ErrorCode,
): Promise<Refusal> {
  await writeHistory(tx, { ...tried, credits: 0, status: 'error', transfer_id: null });
  return refusal(code);
}

interface Redeemed {
  code_id: string;
  transfer: Transfer;
}

/** Redeems a code. Throws TOO_MANY_ATTEMPTS. Returns CODE_ALREADY_REDEEMED and INVALID_OR_EXPIRED_CODE. */
async function redeemFor(tx: Tx, ctx: Ctx, typed: string): Promise<Redeemed | Refusal> {
  const user_id = ctx.actor.id;
  // Attempts of one account wait for each other here, so that its codes are counted one by one.
  await lockBalance(tx, user_id);
  const wait = await readLimit(tx, unknownCodesLimit, user_id);
  if (wait > 0) return failTooManyAttempts(wait);
  const isRedeemed = sql<boolean>`exists (select from redeem_code_history
    where code_id = redeem_codes.id and user_id = ${user_id} and status = 'success')`;
  const found = await tx
    .selectFrom('redeem_codes')
    .select(['id', 'code', isRedeemed.as('is_redeemed')])
    .where('code_key', '=', codeKey(typed))
    .executeTakeFirst();
  if (!found) {
    await consumeLimit(tx, unknownCodesLimit, user_id);
    return failed(tx, { code_id: null, code: typed, user_id }, 'INVALID_OR_EXPIRED_CODE');
  }
  const tried = { code_id: found.id, code: found.code, user_id };
  if (found.is_redeemed) return failed(tx, tried, 'CODE_ALREADY_REDEEMED');
  const credits = await useCode(tx, found.id);
  if (credits === undefined) return failed(tx, tried, 'INVALID_OR_EXPIRED_CODE');
  const transfer = await moveCredits(tx, {
    kind: 'redeem',
    from_id: ISSUANCE,
    to_id: user_id,
    amount: credits,
    actor_id: user_id,
  });
  await writeHistory(tx, { ...tried, credits, status: 'success', transfer_id: transfer.id });
  const data = { code_id: found.id, transfer_id: transfer.id };
  await auditBalance(tx, ctx, 'credits.redeem', user_id, transfer, data);
  return { code_id: found.id, transfer };
}

/**
 * Redeems a code. Administrators can redeem codes, too: their credits are stored like those that
 * are issued to them, although 1000 is shown.
 */
export const redeem: Mutation<typeof contract.redeem, Redeemed> = {
  audit: { auditsItself: 'with the balance before and after' },
  commit: (tx, ctx, { body }) => redeemFor(tx, ctx, body.code),
  reply: async (_, { transfer }) => ({
    success: true,
    message: 'Code redeemed successfully',
    credits: transfer.amount,
  }),
};

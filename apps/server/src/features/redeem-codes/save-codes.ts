import type * as contract from '@linekeeper/contract/credits/redeem-codes.ts';
import { codeKey } from '@linekeeper/contract/credits/redeem-codes.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { redeemCodeSubject } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { endOf } from '../../platform/clock.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { makeCode } from '../../platform/make-code.ts';
import { findRedeemCode, findRedeemCodes } from './store.ts';

type NewCodes = Parsed<typeof contract.createRedeemCodes>['body'];

/**
 * Throws EXPIRES_IN_PAST for an expiry that has passed, because the code could not be redeemed; a
 * code is ended by turning it off.
 */
async function checkAhead(
  tx: Tx,
  { config }: Ctx,
  expires_at: NewCodes['expires_at'],
): Promise<void> {
  if (!expires_at) return;
  const isAhead = sql<boolean>`${endOf(expires_at, config.time_zone)} > clock_timestamp()`;
  const { is_ahead } = await tx.selectNoFrom(isAhead.as('is_ahead')).executeTakeFirstOrThrow();
  if (!is_ahead) failField('expires_at', 'EXPIRES_IN_PAST');
}

/** Inserts redeem codes, and returns their ids. Throws CODE_EXISTS. */
async function insertCodes(tx: Tx, ctx: Ctx, body: NewCodes): Promise<string[]> {
  const { code, count, description, expires_at, ...same } = body;
  const ends = expires_at ? endOf(expires_at, ctx.config.time_zone) : null;
  const about = { description: description || null, expires_at: ends, created_by: ctx.actor.id };
  const rows = Array.from({ length: count }, () => {
    const text = code ?? makeCode();
    return { id: newId(), code: text, code_key: codeKey(text), ...same, ...about };
  });
  const inserted = await tx
    .insertInto('redeem_codes')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  // Generated codes never collide, so the conflict must be about a given code.
  if (inserted.length < count) failField('code', 'CODE_EXISTS');
  return rows.map(({ id }) => id);
}

export const createRedeemCodes: Mutation<typeof contract.createRedeemCodes, { ids: string[] }> = {
  audit: {
    action: 'code.create',
    subject: redeemCodeSubject,
    // Codes that are created together have one audit entry, under the first of them.
    made: ({ ids }) => ids[0] ?? '',
    data: (_, { ids }) => (ids.length > 1 ? { count: ids.length } : {}),
  },
  commit: async (tx, ctx, { body }) => {
    if (body.code !== undefined && body.count > 1) failField('code', 'SEVERAL_CODES_ARE_MADE');
    await checkAhead(tx, ctx, body.expires_at);
    return { ids: await insertCodes(tx, ctx, body) };
  },
  reply: async ({ db }, { ids }) => ({ codes: await findRedeemCodes(db, ids) }),
};

export const editRedeemCode: Mutation<typeof contract.editRedeemCode, { id: string }> = {
  audit: { action: 'code.edit', subject: redeemCodeSubject },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const { expires_at, description, ...changes } = body;
    // The audit has locked the row, so no use can be added in the meantime.
    const { times_used } = await findRedeemCode(tx, id);
    if (body.max_uses !== undefined && body.max_uses < times_used) {
      failField('max_uses', 'FEWER_THAN_USED', { used: times_used });
    }
    await tx
      .updateTable('redeem_codes')
      .set({
        ...changes,
        ...(description !== undefined && { description: description || null }),
        ...(expires_at !== undefined && {
          expires_at: expires_at && endOf(expires_at, ctx.config.time_zone),
        }),
        // An update has to name a column, even if nothing changes.
        times_used,
      })
      .where('id', '=', id)
      .execute();
    return { id };
  },
  reply: async ({ db }, { id }) => ({ code: await findRedeemCode(db, id) }),
};

export const deleteRedeemCode: Mutation<
  typeof contract.deleteRedeemCode,
  { id: string; code: string }
> = {
  audit: {
    action: 'code.delete',
    subject: redeemCodeSubject,
    // The entry contains the code itself: the code is no longer valid, and after its deletion no other record has it.
    data: (_, { code }) => ({ code }),
  },
  commit: async (tx, _, { params: { id } }) => {
    const deleted = await tx
      .deleteFrom('redeem_codes')
      .where('id', '=', id)
      .returning(['id', 'code'])
      .executeTakeFirst();
    return deleted ?? fail('REDEEM_CODE_NOT_FOUND');
  },
  reply: async () => ({ success: true }),
};

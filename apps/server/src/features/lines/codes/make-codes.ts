import type * as contract from '@linekeeper/contract/credits/activation-codes.ts';
import { violates } from '../../../db/errors.ts';
import { activationCodeSubject } from '../../../domain/audit/audit-subjects.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { charge } from '../../../domain/credits/charge.ts';
import { endCodes, readPaymentsOf, refund } from '../../../domain/credits/refund.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';
import { makeCode } from '../../../platform/make-code.ts';
import { checkQuote, checkTerm, costOf, planOf, readPayer } from '../price/price.ts';
import { findActivationCodes, hashOfCode } from './list-codes.ts';

interface Made {
  ids: string[];
  cost: number;
  credits: number;
}

/** Makes codes, and pays for their lines by one debit, with a transfer for each, so that each is refunded alone. */
export const createActivationCodes: Mutation<typeof contract.createActivationCodes, Made> = {
  audit: {
    action: 'activationcode.create',
    subject: activationCodeSubject,
    // Codes that are made together have one entry, under the first of them.
    made: ({ ids }) => ids[0] ?? '',
    data: ({ body: { months } }, { ids, cost }) => ({
      months,
      cost,
      ...(ids.length > 1 && { count: ids.length }),
    }),
  },
  commit: async (tx, ctx, { body }) => {
    const { actor, secrets } = ctx;
    const { months, count, note = '', quoted_cost } = body;
    const payer = await readPayer(tx, ctx);
    const { plan_id } = planOf(payer, body.plan_id);
    checkTerm(payer, { subscription_months: months }, plan_id);
    const each = costOf(payer, months, plan_id);
    checkQuote(quoted_cost, each * count);
    const about = { seller_id: actor.id, plan_id, months, note: note || null };
    const rows = Array.from({ length: count }, () => {
      const [id, code] = [newId(), makeCode()];
      const kept = { code: secrets.seal(code, id), code_hash: hashOfCode(code) };
      return { id, line_id: newId(), ...kept, ...about };
    });
    await tx
      .insertInto('activation_codes')
      .values(rows)
      .execute()
      .catch((error: unknown) => {
        if (violates(error, 'activation_codes_plan_id_fkey')) fail('PLAN_NOT_FOUND');
        throw error;
      });
    const sales = rows.map(({ line_id }) => {
      return { kind: 'sale' as const, line_id, cost: each, note: about.note };
    });
    // The new id is that of a bundle, so the list of transfers shows the codes as one row.
    const { cost, credits } = await charge(tx, actor, sales, newId());
    const balance = credits ?? (await readBalance(tx, actor.id));
    return { ids: rows.map(({ id }) => id), cost, credits: balance };
  },
  reply: async (ctx, { ids, cost, credits }) => ({
    codes: await findActivationCodes(ctx, ids),
    cost,
    credits,
  }),
};

interface Refunded {
  refunded: number;
  credits: number;
}

/**
 * Ends a code whose line was not made, and refunds its payment. The payment is locked before the code, as by an
 * administrator's refund. Throws REDEEM_CODE_NOT_FOUND, ACTIVATION_CODE_USED and ALREADY_REFUNDED.
 */
export const refundActivationCode: Mutation<typeof contract.refundActivationCode, Refunded> = {
  audit: { action: 'activationcode.refund', subject: activationCodeSubject },
  commit: async (tx, { actor }, { params: { id } }) => {
    const read = tx
      .selectFrom('activation_codes')
      .select(['line_id', 'used_at', 'refunded_at'])
      .where('id', '=', id)
      .where('seller_id', '=', actor.id);
    const code = await read.executeTakeFirst();
    if (!code) return fail('REDEEM_CODE_NOT_FOUND');
    if (code.used_at) fail('ACTIVATION_CODE_USED');
    if (code.refunded_at) fail('ALREADY_REFUNDED');
    const [sale] = await readPaymentsOf(tx, [code.line_id]);
    if (sale) await refund(tx, { transfer_id: sale.id, actor_id: actor.id, note: null });
    else await endCodes(tx, [code.line_id]);
    // The code may have been used while this transaction waited for the locks.
    if (!(await read.executeTakeFirst())?.refunded_at) fail('ACTIVATION_CODE_USED');
    return { refunded: sale?.amount ?? 0, credits: await readBalance(tx, actor.id) };
  },
  reply: async (_, refunded) => ({ success: true, ...refunded }),
};

import type * as contract from '@linekeeper/contract/lines/auto-renewal.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { lockLine } from '../change/locked-line.ts';
import { findLine } from '../list/store.ts';
import { checkTerm, readPayer } from '../price/price.ts';

/** Only the owner may turn it on, because it spends the owner's credits. */
export const setAutoRenewal: Mutation<typeof contract.setAutoRenewal, { id: string }> = {
  audit: { action: 'line.edit', subject: lineSubject },
  commit: async (tx, ctx, { params: { id }, body: { months } }) => {
    const { actor } = ctx;
    const line = await lockLine(tx, lineScope(actor), id);
    if (line.owner_id !== actor.id) fail('OWNER_ONLY');
    if (months !== null) {
      checkTerm(await readPayer(tx, ctx), { subscription_months: months }, line.plan_id);
    }
    await tx
      .updateTable('users')
      .set({ auto_renew_months: months, updated_at: new Date() })
      .where('id', '=', id)
      .execute();
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({ line: await findLine(db, lineScope(actor), id) }),
};

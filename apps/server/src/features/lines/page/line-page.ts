import type * as contract from '@linekeeper/contract/lines/line-page.ts';
import { sql } from 'kysely';
import { hashOfToken } from '../../../domain/accounts/one-time-tokens.ts';
import { lineActedUpon } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { pageLink, pageToken } from '../../../domain/lines/line-pages.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { newId } from '../../../platform/ids.ts';
import { lockLine } from '../change/locked-line.ts';

/** Makes the link of a customer's page, or replaces it. The customer's request for renewal is kept. */
export const makeLinePage: Mutation<typeof contract.makeLinePage, { id: string }> = {
  audit: { action: 'line.make_page', subject: lineActedUpon },
  commit: async (tx, ctx, { params }) => {
    const { id: line_id } = await lockLine(tx, lineScope(ctx.actor), params.id);
    const id = newId();
    const link = { id, token_hash: hashOfToken(pageToken(ctx, id)) };
    const made = { ...link, made_at: sql<Date>`now()`, opened_at: null };
    await tx
      .insertInto('line_pages')
      .values({ line_id, ...made, asked_expiry: null })
      .onConflict((conflict) => conflict.column('line_id').doUpdateSet(made))
      .execute();
    return { id };
  },
  reply: async (ctx, { id }) => ({ url: pageLink(ctx, pageToken(ctx, id)) }),
};

export const withdrawLinePage: Mutation<typeof contract.withdrawLinePage, { success: true }> = {
  audit: { action: 'line.withdraw_page', subject: lineActedUpon },
  commit: async (tx, { actor }, { params }) => {
    const { id } = await lockLine(tx, lineScope(actor), params.id);
    await tx.deleteFrom('line_pages').where('line_id', '=', id).execute();
    return { success: true };
  },
  reply: async (_, done) => done,
};

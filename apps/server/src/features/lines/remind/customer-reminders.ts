import { DASHBOARD_DAYS } from '@linekeeper/contract/dashboard.ts';
import type * as contract from '@linekeeper/contract/lines/reminders.ts';
import { sql } from 'kysely';
import { isVisibleTo, lineScope, ownLineScope, visibleTo } from '../../../domain/context/access.ts';
import { isStopped } from '../../../domain/lines/customer-reminders.ts';
import { expiresWithin } from '../../../domain/lines/line-sets.ts';
import type { Action, Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';

const MOST_LINES = 500;
const MOST_OF_LINE = 50;

/** The last reminder about the present expiry of each line that is due soon. */
export const listReminders: Action<typeof contract.listReminders> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('reminders')
    .innerJoin('users', 'users.id', 'reminders.line_id')
    .distinctOn('users.id')
    .select(['reminders.line_id', 'reminders.way', 'reminders.sent_at'])
    .whereRef('reminders.expiry_date', '=', 'users.expiry_date')
    .where('reason', 'is', null)
    .where(expiresWithin(ctx.today(), DASHBOARD_DAYS))
    .where(visibleTo(ownLineScope(ctx.actor), 'users.owner_id'))
    .orderBy('users.id')
    .orderBy('sent_at', 'desc')
    .limit(MOST_LINES)
    .execute();
  return { items: rows.map((row) => ({ ...row, sent_at: row.sent_at.toISOString() })) };
};

export const lineReminders: Action<typeof contract.lineReminders> = async (ctx, { params }) => {
  const line = await ctx.db
    .selectFrom('users')
    .select(isStopped.as('is_stopped'))
    .where('id', '=', params.id)
    .where(isVisibleTo(lineScope(ctx.actor), 'users.owner_id'))
    .executeTakeFirst();
  if (!line) return fail('LINE_NOT_FOUND');
  const rows = await ctx.db
    .selectFrom('reminders')
    .select(['way', 'sent_at', 'expiry_date', 'day', 'reason'])
    .where('line_id', '=', params.id)
    .orderBy('sent_at', 'desc')
    .limit(MOST_OF_LINE)
    .execute();
  const items = rows.map((row) => ({ ...row, sent_at: row.sent_at.toISOString() }));
  return { items, ...line };
};

/**
 * Records that the seller has reminded a customer. A second reminder in the same way for the same expiry date replaces
 * the time of the first.
 */
export const markReminded: Mutation<typeof contract.markReminded, { success: true }> = {
  audit: { notAudited: 'a mark that a person wrote to a customer' },
  commit: async (tx, { actor }, { params: { id }, body: { way } }) => {
    const line = await tx
      .selectFrom('users')
      .select('expiry_date')
      .where('id', '=', id)
      .where(isVisibleTo(lineScope(actor), 'users.owner_id'))
      .executeTakeFirst();
    if (!line) return fail('LINE_NOT_FOUND');
    await tx
      .insertInto('reminders')
      .values({ id: newId(), line_id: id, expiry_date: line.expiry_date, day: null, way })
      .onConflict((conflict) =>
        conflict.constraint('reminders_once').doUpdateSet({ sent_at: sql<Date>`now()` }),
      )
      .execute();
    return { success: true };
  },
  reply: async (_, done) => done,
};

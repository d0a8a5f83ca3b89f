import type * as contract from '@linekeeper/contract/activity.ts';
import { sql } from 'kysely';
import { accountScope, isVisibleTo, lineScope } from '../../domain/context/access.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { filterParts, isOwnOrShared } from './history-filters.ts';
import { type HistoryPart, readHistory, scopesOf } from './read-history.ts';

/** The condition of a part that the reader may not see. */
const none = sql`false`;

export const accountActivity: Action<typeof contract.accountActivity> = async (ctx, input) => {
  const { db, actor } = ctx;
  const scope = accountScope(actor);
  const account = await db
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', input.params.id)
    .where(isVisibleTo(scope, 'auth_users.id'))
    .executeTakeFirst();
  if (!account) return fail('USER_NOT_FOUND');
  const { id } = account;
  const isBelow = await db
    .selectFrom('account_tree')
    .select('account_id')
    .where('ancestor_id', '=', actor.id)
    .where('account_id', '=', id)
    .executeTakeFirst();
  const scopes = scopesOf(ctx);
  const { credits } = scopes;
  const lines = lineScope(actor);
  const isSubject = sql`subject_type = 'account' and subject_id = ${id}`;
  const seesCredits = credits.sees_all || isBelow;
  const seesLines = lines.sees_all || isBelow;
  const isTold = actor.is_admin ? sql`true` : isOwnOrShared(scopes);
  const parts: HistoryPart[] = [
    { source: 'audit', where: isSubject },
    { source: 'audit', where: sql`actor_id = ${id} and not (${isSubject}) and ${isTold}` },
    { source: 'transfer', where: seesCredits ? sql`from_id = ${id}` : none },
    { source: 'transfer', where: seesCredits ? sql`to_id = ${id}` : none },
    { source: 'push', where: seesLines ? sql`owner_id = ${id}` : none },
  ];
  const reader = { scopes, isAdmin: actor.is_admin, time_zone: ctx.config.time_zone };
  return readHistory(ctx, input.query, await filterParts(db, parts, input.query, reader), id);
};

import type { Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import type { LineFilters } from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import type { Scope } from '../../../domain/context/access.ts';
import { filterLines, visibleLines } from '../../../domain/lines/line-sets.ts';
import { countUpTo } from '../../../platform/paging/pages.ts';
import { countLines } from './store.ts';

/**
 * Lines by server or plan. With access to all lines, each is counted by index up to the limit. Otherwise the visible lines
 * are counted, because most lines of a server may be someone else's.
 */
async function countBy(
  db: Db,
  scope: Scope,
  column: 'server_id' | 'plan_id',
): Promise<Record<string, number>> {
  const lines = visibleLines(db, scope);
  const of = column === 'server_id' ? 'cccam_servers' : 'plans';
  const ofEach = lines.whereRef(`users.${column}`, '=', sql.ref(`${of}.id`));
  const rows = scope.sees_all
    ? await db
        .selectFrom(of)
        .select([`${of}.id`, countUpTo(MOST_COUNTED, ofEach).as('count')])
        .execute()
    : await lines
        .select(`users.${column} as id`)
        .select(sql<number>`least(count(*), ${MOST_COUNTED})`.as('count'))
        .groupBy(`users.${column}`)
        .execute();
  return Object.fromEntries(rows.map(({ id, count }) => [id, count]));
}

/**
 * The number of lines for each value of a filter, shown in the filter panel. Values that nearly
 * every line has, such as being synced, are not counted because they tell nothing.
 */
export async function countLineChoices(db: Db, scope: Scope, today: Day) {
  const count = (filters: LineFilters) =>
    countUpTo(MOST_COUNTED, filterLines(visibleLines(db, scope), filters, today));
  const [views, rest, server_id, plan_id] = await Promise.all([
    countLines(db, scope, today),
    db
      .selectNoFrom([
        count({ status: ['inactive'] }).as('inactive'),
        count({ status: ['suspended'] }).as('suspended'),
        count({ sync_state: ['pending'] }).as('pending'),
      ])
      .executeTakeFirstOrThrow(),
    countBy(db, scope, 'server_id'),
    countBy(db, scope, 'plan_id'),
  ]);
  const { active, expired, trials, not_synced, long_names, online } = views;
  const { inactive, suspended, pending } = rest;
  return {
    status: { active, expired, inactive, suspended },
    sync_state: { failed: not_synced, pending },
    is_trial: { true: trials },
    has_long_name: { true: long_names },
    presence: { online },
    server_id,
    plan_id,
  };
}

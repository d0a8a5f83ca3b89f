import type { Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import type { LineFilters } from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import { furtherLines } from '../../../db/lines-of-server.ts';
import type { Db } from '../../../db/transaction.ts';
import { type Scope, visibleTo } from '../../../domain/context/access.ts';
import { filterLines, visibleLines } from '../../../domain/lines/line-sets.ts';
import { countUpTo } from '../../../platform/paging/pages.ts';
import { countLines } from './store.ts';

/** Visible lines by their further servers, which only lines of a plan that serves all have. */
const countFurther = (db: Db, scope: Scope) =>
  db
    .selectFrom('cccam_servers')
    .innerJoinLateral(furtherLines(sql.ref('cccam_servers.id')).as('line'), (join) => join.onTrue())
    .where(visibleTo(scope, 'line.owner_id'))
    .select(['cccam_servers.id', sql<number>`count(*)`.as('count')])
    .groupBy('cccam_servers.id')
    .execute();

/**
 * Lines by server or plan. With access to all lines, the lines of each are counted by index up to the limit. Otherwise
 * the visible lines are counted, because most lines of a server may be someone else's.
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
  const counts = Object.fromEntries(rows.map(({ id, count }) => [id, count]));
  if (column === 'server_id') {
    for (const { id, count } of await countFurther(db, scope)) {
      counts[id] = Math.min((counts[id] ?? 0) + count, MOST_COUNTED);
    }
  }
  return counts;
}

/**
 * The number of lines for each value of a filter, shown in the filter panel. Values that nearly
 * every line has, such as being synced, are not counted, because their number is of no use.
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

import { DASHBOARD_DAYS, type LineFigures, SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Scope } from '../../domain/context/access.ts';
import { expiresWithin } from '../../domain/lines/line-filters.ts';
import { lineSets, visibleLines } from '../../domain/lines/line-sets.ts';
import { type AnyQuery, asTotal, countUpTo } from '../../platform/paging/pages.ts';

const count = (lines: AnyQuery<object>) => countUpTo(MOST_COUNTED + 1, lines);

export async function readLineFigures(db: Db, scope: Scope, today: Day): Promise<LineFigures> {
  const [counts, expiries] = await Promise.all([
    countFigures(db, scope, today),
    countExpiries(db, scope, today),
  ]);
  const figures = Object.entries(counts).map(([name, counted]) => [name, asTotal(counted)]);
  return { ...(Object.fromEntries(figures) as Omit<LineFigures, 'expiries'>), expiries };
}

/** Each figure is counted up to a limit, so the cost does not grow with the number of lines. */
function countFigures(db: Db, scope: Scope, today: Day) {
  const { all, active, expiring, expired, trials } = lineSets(db, scope, today);
  const ended = sql<SqlBool>`users.expiry_date between ${addDays(today, -SOON_DAYS)}
    and ${addDays(today, -1)}`;
  return db
    .selectNoFrom([
      count(active).as('active'),
      count(expiring).as('expiring'),
      count(expired).as('expired'),
      count(trials).as('trials'),
      count(all.where('users.added_date', '>', addDays(today, -DASHBOARD_DAYS))).as('added'),
      count(all.where(ended)).as('ended'),
      count(trials.where(expiresWithin(today, 1))).as('trials_ending'),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * With access to all lines, each day is counted by index up to the limit. Otherwise the visible
 * lines are counted by day, because most lines of a day may be someone else's.
 */
async function countExpiries(db: Db, scope: Scope, today: Day): Promise<LineFigures['expiries']> {
  const lines = visibleLines(db, scope);
  const days = Array.from({ length: DASHBOARD_DAYS + 1 }, (_, later) => addDays(today, later));
  const ofDay = lines.where(sql<SqlBool>`users.expiry_date = asked.day`);
  const rows = scope.sees_all
    ? await db
        .selectFrom(sql<{ day: Day }>`unnest(${days}::date[])`.as<'asked'>(sql`asked (day)`))
        .select(['asked.day', count(ofDay).as('counted')])
        .execute()
    : await lines
        .where(expiresWithin(today, DASHBOARD_DAYS))
        .select('users.expiry_date as day')
        .select(sql<number>`least(count(*), ${MOST_COUNTED + 1})`.as('counted'))
        .groupBy('users.expiry_date')
        .execute();
  const found = new Map(rows.map(({ day, counted }) => [day, counted]));
  return days.map((day) => ({ day, ...asTotal(found.get(day) ?? 0) }));
}

import type * as contract from '@linekeeper/contract/dashboard.ts';
import {
  DASHBOARD_DAYS,
  type FirstSteps,
  type LineFigures,
  SOON_DAYS,
} from '@linekeeper/contract/dashboard.ts';
import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { lineScope, ownLineScope, type Scope } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { readLackingRenewals } from '../../domain/lines/auto-renewals.ts';
import { expiresWithin, lineSets, visibleLines } from '../../domain/lines/line-sets.ts';
import { isOfferedColumn } from '../../domain/machines/servers.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { type AnyQuery, asTotal, countUpTo } from '../../platform/paging/pages.ts';
import { readSettings } from '../../platform/settings.ts';
import {
  readAllSales,
  readOutOfCredits,
  readOwnCredits,
  readRenewals,
  readSellersBelow,
} from './credit-figures.ts';
import { readOnline } from './online-figures.ts';

const count = (lines: AnyQuery<object>) => countUpTo(MOST_COUNTED + 1, lines);

export async function readLineFigures(db: Db, scope: Scope, today: Day): Promise<LineFigures> {
  const [counts, expiries] = await Promise.all([
    countFigures(db, scope, today),
    countExpiries(db, scope, today),
  ]);
  const figures = Object.entries(counts).map(([name, counted]) => [name, asTotal(counted)]);
  return { ...(Object.fromEntries(figures) as Omit<LineFigures, 'expiries'>), expiries };
}

/** The figures of lines, each counted up to a limit, so that the cost does not grow with the number of lines. */
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
 * Lines that expire on each day. With access to all lines, each day is counted by index up to the limit. Otherwise the
 * visible lines are counted by day, because most lines of a day may be someone else's.
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

/**
 * The first steps of a new account. A step is done once the account has a record of its kind, for example a line; null
 * if the account may not take the step.
 */
async function readFirstSteps({ db, actor, cardService }: Ctx): Promise<FirstSteps> {
  const any = (isAllowed: boolean, rows: AnyQuery<object>) =>
    isAllowed ? sql<number | null>`${countUpTo(1, rows)}` : sql<number | null>`null::bigint`;
  const others = actor.is_admin
    ? db.selectFrom('auth_users').where('is_admin', '=', false)
    : db.selectFrom('account_tree').where('ancestor_id', '=', actor.id).where('depth', '>', 0);
  const found = await db
    .selectNoFrom([
      any(actor.is_admin, db.selectFrom('cccam_servers').where(isOfferedColumn)).as('server'),
      any(actor.is_admin, db.selectFrom('credit_packages').where('is_active', '=', true)).as(
        'package',
      ),
      any(can(actor, ['view_users']), visibleLines(db, lineScope(actor))).as('line'),
      any(can(actor, ['add_credits', 'manage_resellers']), others).as('account'),
    ])
    .executeTakeFirstOrThrow();
  const isDone = (count: number | null) => (count === null ? null : count > 0);
  return {
    server: isDone(found.server),
    line: isDone(found.line),
    payee: actor.is_admin
      ? isDone(found.package) === true &&
        (cardService !== null || (await readSettings(db)).bank_details !== '')
      : null,
    account: isDone(found.account),
  };
}

export const getDashboard: Action<typeof contract.getDashboard> = async (ctx) => {
  const { db, actor, config } = ctx;
  const days = { today: ctx.today(), time_zone: config.time_zone };
  const [lines, online, { credits, sellers }, renewed_today, steps, out_of_credits, auto_renewals] =
    await Promise.all([
      can(actor, ['view_users']) ? readLineFigures(db, ownLineScope(actor), days.today) : null,
      can(actor, ['view_users']) ? readOnline(db, ownLineScope(actor), days) : null,
      actor.is_admin ? readAllSales(db, days) : readOwn(),
      readRenewals(db, actor.id, days),
      readFirstSteps(ctx),
      actor.is_admin ? readOutOfCredits(db, days.today) : null,
      readLackingRenewals(db, actor, days.today),
    ]);
  return {
    today: days.today,
    lines,
    credits,
    renewed_today,
    online,
    sellers,
    steps,
    out_of_credits,
    auto_renewals,
  };

  async function readOwn() {
    const [credits, sellers] = await Promise.all([
      readOwnCredits(db, actor.id, days),
      can(actor, ['add_credits']) ? readSellersBelow(db, actor.id, days) : null,
    ]);
    return { credits, sellers };
  }
};

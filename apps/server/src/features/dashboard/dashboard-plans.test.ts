// @module-tag thorough
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../domain/context/access.ts';
import { openPlans, type Plans } from '../../testing/database/plans.ts';
import { seed, seededAccount } from '../../testing/seed/lines.ts';
import { seedPresence } from '../../testing/seed/presence.ts';
import { BUSY_ACCOUNT, seedRecords } from '../../testing/seed/records.ts';
import { timeIn } from '../../testing/zone.ts';
import { readAllSales, readOwnCredits, readSellersBelow } from './credit-figures.ts';
import { readLineFigures } from './get-dashboard.ts';
import { readOnline } from './online-figures.ts';

const LINES = 21_000;
const ACCOUNTS = 400;
const TRANSFERS = 60_000;
const MOST_ROWS = 1000;
/** Hours of presence that are stored: today's, and those up to the same day a week before. */
const HOURS = 8 * 24;

/**
 * A time zone in which it is about noon, because the panel keeps lines that ended until a few minutes after midnight.
 */
const ahead = 12 - new Date().getUTCHours();
const time_zone = `Etc/GMT${ahead < 0 ? '+' : '-'}${Math.abs(ahead)}`;
const today = timeIn(time_zone).day;
const days = { today, time_zone };

const all: Scope = { account_id: seededAccount(1), sees_all: true };
const leaf: Scope = { account_id: seededAccount(ACCOUNTS), sees_all: false };
let plans: Plans;

beforeAll(async () => {
  plans = await openPlans(async (db) => {
    await seed(db, { accounts: ACCOUNTS, lines: LINES });
    await seedRecords(db, TRANSFERS);
    await seedPresence(db, { hours: HOURS });
    await sql`update cccam_servers set status = 'active'`.execute(db);
  });
});
afterAll(() => plans?.close());

/** A plan may find rows in an index and then read them from the table, so each row counts twice. */
const inIndexAndTable = (rows: number) => 2 * rows;

const countRows = async (query: string): Promise<number> =>
  (await plans.pool.query(`select count(*) from ${query}`)).rows[0].count;

test('who sees all lines is told 10,000 or more without counting them all', async () => {
  const { db } = plans.recorder;
  const { active, trials } = await readLineFigures(db, all, today);
  expect(active).toEqual({ total: 10_000, total_is_exact: false });
  expect(trials).toEqual({ total: await countRows('users where is_trial'), total_is_exact: true });
  const [figures, expiries] = await plans.touched(() => readLineFigures(db, all, today));
  // The counts of active and expired lines end at the limit. The other counts are small.
  expect(figures).toBeLessThanOrEqual(2 * 10_500 + 3000);
  const ahead = await countRows(
    `users where expiry_date between '${today}' and '${today}'::date + 30`,
  );
  expect(expiries).toBeLessThanOrEqual(ahead + 2 * 31);
});

test('an account with nobody below it does not pass by the lines of others', async () => {
  const rows = await plans.touched(() => readLineFigures(plans.recorder.db, leaf, today));
  expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS);
});

describe('who is on', () => {
  const online = (scope: Scope) => plans.touched(() => readOnline(plans.recorder.db, scope, days));
  /** Hours whose refusals are searched. */
  const lately = () => countRows(`line_usage_hours where hour > now() - interval '2 hours'`);

  test('is told to who sees all lines without a look at each of them', async () => {
    const rows = await online(all);
    const [servers = 0, lines = 0, hours = 0, never = 0, oldest = 0, refusals = 0] = rows;
    expect(rows).toHaveLength(6);
    expect(lines).toBeLessThanOrEqual(LINES + MOST_ROWS);
    const few = [servers, never, oldest];
    expect(Math.max(...few)).toBeLessThanOrEqual(
      (await countRows('users where not has_connected')) + MOST_ROWS,
    );
    expect(hours).toBeLessThanOrEqual(3 * (await countRows('server_presence_hours')));
    expect(refusals).toBeLessThanOrEqual((await lately()) + MOST_ROWS);
  });

  const treeOf = ({ account_id }: Scope) =>
    `(select account_id from account_tree where ancestor_id = '${account_id}')`;
  const ownHours = (scope: Scope) =>
    countRows(`line_usage_hours join users on users.id = line_id where owner_id in ${treeOf(scope)}
      and (hour >= '${today}'::date - 1 or hour < '${today}'::date - 5)`);

  test('is told to an account with nobody below it without passing by the lines of others', async () => {
    const [servers, lines, hours = 0, ...others] = await online(leaf);
    expect(Math.max(servers ?? 0, lines ?? 0, ...others)).toBeLessThanOrEqual(MOST_ROWS);
    const known = await countRows('server_presence_hours');
    expect(hours).toBeLessThanOrEqual((await ownHours(leaf)) + known + MOST_ROWS);
  });

  test('is told to an account with others below it by the hours of its own lines', async () => {
    const { rows } = await plans.pool.query(`
      select ancestor_id, count(*) as own from account_tree join users on owner_id = account_id
        group by 1 having count(*) < ${LINES / 10} order by count(*) desc limit 1`);
    const [{ ancestor_id: account_id, own }] = rows;
    const reseller = { account_id, sees_all: false };
    const [, lines = 0, hours = 0, , , refusals = 0] = await online(reseller);
    const isOn = await countRows('line_presence where connections > 0');
    expect(lines).toBeLessThanOrEqual(own + isOn + MOST_ROWS);
    // The hours of a day are found by line, or among the hours of all lines if there are few of that day.
    const ofToday = await countRows(
      `line_usage_hours where hour >= '${today}'::date - interval '12 hours'`,
    );
    expect(hours).toBeLessThanOrEqual(
      2 * own + (await ownHours(reseller)) + ofToday + 3 * MOST_ROWS,
    );
    expect(refusals).toBeLessThanOrEqual(2 * own + (await lately()) + MOST_ROWS);
  });
});

test('the sales of ended days are read once, and then only those of today', async () => {
  const { db } = plans.recorder;
  const lately = await countRows(`credit_transfers where created_at >= now() - interval '61 days'`);
  const first = await plans.touched(() => readAllSales(db, days));
  expect(Math.max(...first)).toBeLessThanOrEqual(inIndexAndTable(lately));
  expect(inIndexAndTable(lately)).toBeLessThan(TRANSFERS);
  const again = await plans.touched(() => readAllSales(db, days));
  expect(Math.max(...again)).toBeLessThanOrEqual(MOST_ROWS);
  const { credits, sellers } = await readAllSales(db, days);
  expect(credits.spent).toBeGreaterThan(0);
  expect(sellers).toHaveLength(6);
});

test('an account’s credits are found along the indexes of its transfers', async () => {
  const busy = seededAccount(BUSY_ACCOUNT);
  const own = await countRows(
    `credit_transfers where '${busy}' in (from_id, to_id) and created_at >= now() - interval '61 days'`,
  );
  const { db } = plans.recorder;
  const [movements] = await plans.touched(() => readOwnCredits(db, busy, days));
  // Both sides of transfers are combined, which reads each row twice.
  expect(movements).toBeLessThanOrEqual(inIndexAndTable(own) + own);
  const rows = await plans.touched(() => readOwnCredits(db, leaf.account_id, days));
  expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS);
  expect(await readSellersBelow(db, leaf.account_id, days)).toBeNull();
});

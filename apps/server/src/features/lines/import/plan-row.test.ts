import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { firstPrices } from '@linekeeper/contract/pricing.ts';
import { describe, expect, test } from 'vitest';
import type { LockedLine } from '../change/locked-line.ts';
import type { ImportFacts, ServerFacts } from './import-facts.ts';
import { readRow } from './import-row.ts';
import { emptyTally, planRow } from './plan-row.ts';

const TODAY = '2026-11-29';
const none = new Set<string>();

const server = (more: Partial<ServerFacts> = {}): ServerFacts => ({
  ...{ id: crypto.randomUUID(), server_name: 'Paris', protocol: 'CCcam', status: 'active' },
  ...{ closed_to_new_lines: false, newcamd_ports: [], capacity: Number.POSITIVE_INFINITY },
  ...{ refusals: new Map(), tried: none, lines: 0 },
  ...more,
});

const facts = (more: Partial<ImportFacts> = {}): ImportFacts => ({
  actor: {
    ...{ id: crypto.randomUUID(), email: 'seller@panel.example', group_id: '2', is_admin: false },
    permissions: ['view_users'],
  },
  today: TODAY,
  secrets: { seal: (text) => `sealed ${text}`, open: (text) => text.replace('sealed ', '') },
  adopts: false,
  servers: [server()],
  ...{ owners: new Map(), taken: none, guesses: 60, existing: new Map() },
  prices: firstPrices.map((price) => ({ ...price, plan_id: STANDARD_PLAN, from: null, above: [] })),
  all_prices: [],
  plans: [{ plan_id: STANDARD_PLAN, is_offered: true, serves: 'one', server_ids: [] }],
  plan_ids: new Map(),
  ends_on: null,
  lines_left: Number.POSITIVE_INFINITY,
  ...{ settings: { trial_days: 2, trial_name_days: 30 }, trials: null },
  ...more,
});

function planned(given: ImportFacts, rows: Record<string, unknown>[], mayExtend = false) {
  const tally = emptyTally();
  const choices = {
    existing: mayExtend ? 'extend' : 'refuse',
    states: {},
    date_order: 'none',
  } as const;
  return rows.map((row, index) =>
    planRow(given, tally, readRow({ password: 'pw', ...row }, index + 1, choices)),
  );
}
const codes = (...given: Parameters<typeof planned>) =>
  planned(...given).map(({ error }) => error?.code ?? null);
const month = (username: string, more: object = {}) => ({
  username,
  subscription_months: '1',
  ...more,
});
const trial = (username: string, more: object = {}) => ({ username, is_trial: 'yes', ...more });
const administrator = { ...facts().actor, is_admin: true };

test('a row is priced, dated and sealed without a database', () => {
  const [item] = planned(facts(), [month('anna', { subscription_months: '3' })]);
  expect(item).toMatchObject({
    cost: 4,
    after: { expiry_date: '2027-02-28', subscription_months: 3 },
    input: { password: 'sealed pw' },
  });
});

test('a day costs the months that cover it, to others than administrators', () => {
  const row = { username: 'anna', expiry_date: '20-12-2026' };
  expect(planned(facts(), [row])[0]).toMatchObject({
    cost: 2,
    after: { expiry_date: '2026-12-20' },
  });
  expect(planned(facts({ actor: administrator }), [row])[0]).toMatchObject({ cost: 0 });
  expect(codes(facts(), [{ ...row, expiry_date: '29-11-2026' }])).toEqual(['INVALID_EXPIRY_DATE']);
});

test('places and trials are those of the rows before, of which refused ones take none', () => {
  const limit = { code: 'TRIAL_LIMIT_REACHED', data: { limit: 1 } } as const;
  const given = facts({ servers: [server({ capacity: 2 })], trials: { left: 1, limit } });
  const rows = [
    trial('begins-later', { added_date: '30-11-2026' }),
    trial('first'),
    trial('second'),
    month('third'),
    month('fourth'),
  ];
  expect(codes(given, rows)).toEqual([
    'INVALID_VALUE',
    null,
    'TRIAL_LIMIT_REACHED',
    null,
    'NO_SERVER_TAKES_LINES',
  ]);
});

test('where the newest server is full, the next one takes the row', () => {
  const [full, next] = [server({ capacity: 1 }), server()];
  const items = planned(facts({ servers: [full, next] }), [month('a'), month('b')]);
  expect(items.map(({ after }) => after?.server_id)).toEqual([full.id, next.id]);
});

test('names are refused by what their server has, and beyond the guesses nothing is said', () => {
  const there = server({
    refusals: new Map([
      ['by-hand', 'USERNAME_EXISTS'],
      ['held', 'USERNAME_EXISTS'],
      ['shares', 'NAME_SHARES_FIRST_20'],
      ['longer-than-20-bytes-x', 'NAME_TOO_LONG_FOR_CCCAM'],
    ]),
    tried: new Set(['tried']),
  });
  const given = facts({ servers: [there], taken: new Set(['taken']), guesses: 5 });
  const names = ['taken', 'by-hand', 'held', 'shares'].map((name) => month(name));
  const rows = [...names, month('longer-than-20-bytes-x'), trial('tried'), month('free')];
  expect(codes(given, rows)).toEqual([
    'USERNAME_EXISTS',
    'USERNAME_EXISTS',
    'USERNAME_EXISTS',
    'NAME_SHARES_FIRST_20',
    'NAME_TOO_LONG_FOR_CCCAM',
    'TRIAL_OF_NAME',
    'TOO_MANY_ATTEMPTS',
  ]);
});

test('what its card server has already keeps its name and needs no place where that is named', () => {
  const full = server({ capacity: 0 });
  const given = facts({ servers: [full], actor: administrator, adopts: true });
  const rows = [month('shares'), month('longer-than-20-bytes-x')];
  const named = rows.map((row) => ({ ...row, server: 'paris' }));
  expect(codes(given, named)).toEqual([null, null]);
  expect(codes(given, rows)).toEqual(['NO_SERVER_TAKES_LINES', 'NO_SERVER_TAKES_LINES']);
  expect(codes({ ...given, adopts: false }, named)).toEqual(['SERVER_FULL', 'SERVER_FULL']);
});

test('of equal names the first row counts, whatever became of it', () => {
  expect(codes(facts(), [month('a', { server: 'Mars' }), month('a')])).toEqual([
    'SERVER_NOT_FOUND',
    'DUPLICATE_IN_FILE',
  ]);
});

test('a line that exists is extended by months, or told from the row', () => {
  const line = {
    ...{ id: crypto.randomUUID(), username: 'anna', password: 'sealed pw', is_trial: true },
    ...{ expiry_date: '2026-12-31', subscription_months: null, status: [], suspension: null },
    ...{ server_id: '', owner_id: '', plan_id: STANDARD_PLAN },
  } as unknown as LockedLine;
  const given = facts({ existing: new Map([['anna', line]]) });
  expect(planned(given, [month('anna')], true)[0]).toMatchObject({
    line_id: line.id,
    cost: 2,
    before: { expiry_date: '2026-12-31', is_trial: true },
    after: { expiry_date: '2027-01-31', is_trial: false },
    input: { extends_by: 1 },
  });
  expect(codes(given, [month('anna', { password: 'other' })], true)).toEqual(['DIFFERS_FROM_LINE']);
  expect(codes(given, [month('anna')])).toEqual(['LINE_EXISTS']);
});

describe('a plan', () => {
  const [sport, cinema] = [crypto.randomUUID(), crypto.randomUUID()];
  const offered = { is_offered: true, serves: 'one', server_ids: [] as string[] } as const;
  const withPlans = (more: Partial<ImportFacts> = {}, ofSport: object = {}) =>
    facts({
      plans: [
        { ...offered, plan_id: STANDARD_PLAN },
        { ...offered, plan_id: sport, ...ofSport },
        { ...offered, plan_id: cinema, is_offered: false },
      ],
      plan_ids: new Map([
        ['sport', sport],
        [sport, sport],
        ['cinema', cinema],
      ]),
      prices: [
        ...facts().prices,
        { months: 1, cost: 7, plan_id: sport, from: null, above: [] },
        { months: 12, cost: 70, plan_id: sport, from: null, above: [] },
      ],
      ...more,
    });

  test('is named by its name or id, and priced as such', () => {
    const rows = [
      month('a', { plan: 'SPORT' }),
      month('b', { plan: sport }),
      month('c', { plan_id: sport }),
      month('d', { plan: ' ' }),
    ];
    const items = planned(withPlans(), rows);
    expect(items.map(({ cost, after }) => [cost, after?.plan_id])).toEqual([
      [7, sport],
      [7, sport],
      [7, sport],
      [2, STANDARD_PLAN],
    ]);
    expect(items[0]?.input).toMatchObject({ plan_id: sport });
  });

  test('that is not there, not sold or two at once is refused at its column', () => {
    const rows = [
      month('a', { plan: 'Gold' }),
      month('b', { plan: 'Cinema' }),
      month('c', { plan: 'sport', plan_id: STANDARD_PLAN }),
      month('d', { plan: 'sport', subscription_months: '3' }),
      month('e', { plan_id: crypto.randomUUID() }),
    ];
    expect(planned(withPlans(), rows).map(({ error }) => [error?.code, error?.field])).toEqual([
      ['PLAN_NOT_FOUND', 'plan'],
      ['PLAN_NOT_OFFERED', 'plan'],
      ['INVALID_VALUE', 'plan'],
      ['INVALID_SUBSCRIPTION_MONTHS', 'subscription_months'],
      ['PLAN_NOT_FOUND', 'plan_id'],
    ]);
    expect(codes(withPlans({ actor: administrator }), rows.slice(1, 2))).toEqual([null]);
  });

  test('sends rows to the server with the fewest lines, those before them counted', () => {
    const servers = [server({ lines: 4 }), server({ lines: 2 }), server()];
    const ids = servers.map(({ id }) => id);
    const given = withPlans({ servers }, { serves: 'fewest', server_ids: ids.slice(0, 2) });
    const rows = ['a', 'b', 'c', 'd'].map((name) => month(name, { plan: 'sport' }));
    const [many, few] = ids;
    expect(planned(given, rows).map(({ after }) => after?.server_id)).toEqual([
      few,
      few,
      many,
      few,
    ]);
  });

  test('that serves all begins at its first open server, and needs the name on each', () => {
    const taken = new Map([['held', 'USERNAME_EXISTS'] as const]);
    const servers = [
      server({ refusals: taken }),
      server({ status: 'inactive' }),
      server({ server_name: 'Rome' }),
    ];
    const [last, first, second] = servers.map(({ id }) => id);
    const server_ids = [first, second, last].map(String);
    const given = withPlans({ servers }, { serves: 'all', server_ids });
    const [free, held] = planned(given, [
      month('free', { plan: 'sport' }),
      month('held', { plan: 'sport' }),
    ]);
    expect(free?.after?.server_id).toBe(second);
    expect(held?.error?.code).toBe('USERNAME_EXISTS');
    const elsewhere = withPlans({ servers }, { server_ids: [second] });
    const row = month('a', { plan: 'sport', server: 'Paris' });
    expect(planned(elsewhere, [row])[0]?.error).toMatchObject({
      code: 'SERVER_NOT_OF_PLAN',
      field: 'server',
    });
  });

  test('of a line that exists is compared with that of the row', () => {
    const line = {
      ...{ id: crypto.randomUUID(), username: 'anna', password: 'sealed pw', is_trial: false },
      ...{ expiry_date: '2026-12-31', subscription_months: 1, status: [], suspension: null },
      ...{ server_id: '', owner_id: '', plan_id: sport },
    } as unknown as LockedLine;
    const given = withPlans({ existing: new Map([['anna', line]]) });
    const rows = [{ plan: 'Sport' }, { plan: 'Cinema' }, { plan_id: STANDARD_PLAN }, {}];
    const items = rows.flatMap((row) => planned(given, [month('anna', row)], true));
    expect(items.map(({ error, cost }) => [error?.code, error?.field, cost])).toEqual([
      [undefined, undefined, 7],
      ['DIFFERS_FROM_LINE', 'plan', 0],
      ['DIFFERS_FROM_LINE', 'plan_id', 0],
      [undefined, undefined, 7],
    ]);
    const [refused] = planned(given, [month('anna', { plan: 'Cinema' })]);
    expect(refused?.error).toMatchObject({
      code: 'LINE_EXISTS_OTHERWISE',
      data: { differing: 'plan' },
    });
  });
});

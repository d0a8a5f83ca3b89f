import { expect, test } from 'vitest';
import { differ, type KnownAccount } from './comparison.ts';

const DAY = '2030-06-30';
const OTHER_DAY = '2030-07-31';

const account = (facts: Partial<KnownAccount> = {}): KnownAccount => ({
  server_id: 'one',
  username: 'name',
  expiry_date: DAY,
  on_server: true,
  revision: 1,
  is_due: false,
  is_own: true,
  ...facts,
});

type List = Parameters<typeof differ>[1];
const nobody: List = { accounts: new Map() };
const until = (day: string | null, more: Partial<List> = {}): List => ({
  accounts: new Map([['name', day]]),
  ...more,
});
const off = { disabled: new Set(['name']) };

test.each<[string, Partial<KnownAccount>, List, string]>([
  ['there until its day', {}, until(DAY), 'same'],
  ['not there', {}, nobody, 'lost'],
  ['until another day', {}, until(OTHER_DAY), 'different'],
  ['until a day that is not told', {}, until(null), 'different'],
  ['switched off', {}, until(DAY, off), 'different'],
  ['suspended and not there', { expiry_date: null }, nobody, 'same'],
  ['suspended and switched off', { expiry_date: null }, until(DAY, off), 'same'],
  ['suspended and there', { expiry_date: null }, until(null), 'running'],
  ['on its way, not there yet', { is_due: true }, nobody, 'due'],
  ['on its way, with its day of before', { is_due: true }, until(OTHER_DAY), 'due'],
  ['on its way out', { is_due: true, expiry_date: null }, until(DAY), 'due'],
  ['a former one', { is_own: false }, nobody, 'lost'],
  ['named as one by hand', {}, until(DAY, { by_hand: new Set(['name']) }), 'same'],
])('an account that is %s', (_, facts, list, expected) => {
  const found = Object.entries(differ([account(facts)], list)).filter(([, all]) => all.length > 0);
  const listed = expected === 'different' ? { listed_day: list.accounts.get('name') } : {};
  expect(found).toEqual([[expected, [{ ...account(facts), ...listed }]]]);
});

test('names that no entry of the machine has are unknown, or by hand where the list says so', () => {
  const accounts = new Map(['name', 'stranger', 'own'].map((name) => [name, DAY]));
  const list = { accounts, by_hand: new Set(['own', 'gone']) };
  expect(differ([account({ server_id: 'other' })], list)).toMatchObject({
    unknown: ['stranger'],
    by_hand: ['own'],
  });
  expect(differ([], { accounts }).unknown).toEqual(['name', 'stranger', 'own']);
});

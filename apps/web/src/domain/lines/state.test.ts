import type { Finding } from '@linekeeper/contract/findings.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { expect, test } from 'vitest';
import { receiverOf, signInName, stateOf } from './state.ts';

const today = '2026-11-21';
const presence: Line['presence'] = {
  state: 'offline',
  connections: 0,
  since: null,
  last_seen_at: null,
  protocol: null,
};
const good = {
  expiry_date: '2026-12-21',
  is_trial: false,
  sync_state: 'synced',
  sync_finding: null,
  on_server: true,
  server_away_since: null,
  taken: 'taken',
  suspension: null,
  name_problem: null,
  presence,
} as unknown as Line;
const suspension = { at: '2026-11-20T08:00:00Z' } as Line['suspension'];
const notReached: Finding = { code: 'PUSH_NOT_REACHED', data: {} };
const refused: Finding = { code: 'PUSH_REFUSED', data: {} };
const pending: Finding = { code: 'PUSH_PENDING', data: {} };
const online = { ...presence, state: 'online' as const, connections: 1 };
const away = { server_away_since: '2026-11-21T18:01:00Z' };
const behind = { sync_state: 'failed', sync_finding: refused } as const;

test.each<[string, Partial<Line>]>([
  ['works', {}],
  ['trial', { is_trial: true }],
  ['today', { expiry_date: today }],
  ['ended', { expiry_date: '2026-11-20' }],
  ['suspended', { suspension, on_server: false }],
  ['longName', { name_problem: 'NAME_TOO_LONG_FOR_CCCAM' }],
  // No change waits, but the customers of the server cannot connect.
  ['away', away],
  ['away', { ...away, is_trial: true }],
  ['awayLine', { ...away, sync_state: 'pending', on_server: false }],
  ['awayChange', { ...away, sync_state: 'pending' }],
  // The change has failed, and the server does not count as offline yet.
  ['awayChange', { sync_state: 'failed', sync_finding: notReached }],
  ['refused', { ...behind, on_server: false }],
  ['refusedChange', behind],
  ['pending', { sync_state: 'pending', sync_finding: pending, on_server: false }],
  ['lost', { on_server: false }],
  ['notRead', { taken: 'waiting' }],
  ['notRead', { taken: 'waiting', presence: online }],
  ['notKnown', { taken: 'unknown' }],
  // The line's receiver is online, so the server has loaded the line.
  ['works', { taken: 'unknown', presence: online }],
  ['works', { taken: null }],
  // A line that was ended or suspended shows this, regardless of its other states.
  ['ended', { ...away, expiry_date: '2026-11-20' }],
  ['suspended', { ...away, suspension, on_server: false }],
  // The customer can still connect, because the suspension has not reached the server.
  ['awayChange', { ...away, suspension, sync_state: 'pending' }],
  ['refusedChange', { ...behind, suspension }],
])('%s: %o', (name, changes) => {
  expect(stateOf({ ...good, ...changes } as Line, today)).toBe(name);
});

const seen = '2026-11-21T08:00:00.000Z';
test.each([
  ['online', online, null],
  ['never', presence, seen],
  ['offline', { ...presence, last_seen_at: seen }, null],
  ['offline', { ...presence, last_seen_at: seen }, '2026-11-21T07:59:59.000Z'],
  ['oldPassword', { ...presence, last_seen_at: seen }, '2026-11-21T08:00:01.000Z'],
  [null, { ...presence, state: 'unknown' as const, last_seen_at: seen }, null],
])('the receiver is %s', (state, one, passwordSetAt) => {
  expect(receiverOf({ presence: one }, passwordSetAt)).toBe(state);
});

test('a customer signs in by the former name until the server has taken the new one', () => {
  const finding = (code: string) => ({ code, data: { works_as: 'former' } }) as unknown as Finding;
  const line = { ...good, username: 'new', sync_state: 'failed' } as Line;
  expect(signInName({ ...line, sync_finding: finding('WORKS_AS') })).toBe('former');
  expect(signInName({ ...line, sync_finding: finding('FORMER_STAYS') })).toBe('new');
  const taken = { ...line, sync_state: 'synced', sync_finding: finding('WORKS_AS') } as const;
  expect(signInName(taken)).toBe('new');
});

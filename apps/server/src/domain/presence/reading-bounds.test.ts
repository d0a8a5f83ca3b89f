import { expect, test } from 'vitest';
import { withinBounds } from './tally-presence.ts';

const session = { protocol: 'CCcam', address: '198.51.100.7', since: null };
const anna = {
  username: 'anna',
  connections: 2,
  sessions: [session, session],
  counters: { ok: 10, refused: 2, timed_out: 1 },
  answer_ms: 210,
};

test('a sound reading stays as it is', () => {
  expect(withinBounds(anna)).toEqual(anna);
});

test.each([0, -1, 1.5, Number.NaN])('%d connections are as many as the sessions', (connections) => {
  expect(withinBounds({ ...anna, connections }).connections).toBe(2);
  expect(withinBounds({ ...anna, connections, sessions: [] }).connections).toBe(1);
});

test('there is a most of everything', () => {
  const sessions = Array.from({ length: 5000 }, () => session);
  const found = withinBounds({ ...anna, connections: 1e9, sessions, answer_ms: 1e9 });
  expect(found).toMatchObject({ connections: 10_000, answer_ms: null });
  expect(found.sessions).toHaveLength(20);
});

test.each([-1, 1.5, 1e13])('a counter of %d makes all of them unknown', (refused) => {
  const counters = { ...anna.counters, refused };
  expect(withinBounds({ ...anna, counters }).counters).toBeNull();
});

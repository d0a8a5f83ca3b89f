import { expect, test } from 'vitest';
import { syncProblem } from './sync.tsx';

test.each([
  ['failed', false, 'line'],
  ['failed', true, 'change'],
  ['synced', true, null],
  ['synced', false, 'line'],
  ['pending', false, null],
  ['pending', true, null],
] as const)('%s, on its server: %s, lacks %s', (sync_state, on_server, lacking) => {
  expect(syncProblem({ sync_state, on_server, suspension: null })).toBe(lacking);
});

test('a suspended line is rightly absent; only its removal may be lacking', () => {
  const why = { reason: null, by: null, until: null, cause: null };
  const suspension = { at: '2026-11-21T08:00:00Z', can_resume: true, ...why };
  const of = (sync_state: 'synced' | 'failed', on_server: boolean) =>
    syncProblem({ sync_state, on_server, suspension });
  expect([of('synced', false), of('failed', true), of('failed', false)]).toEqual([
    null,
    'change',
    'change',
  ]);
});

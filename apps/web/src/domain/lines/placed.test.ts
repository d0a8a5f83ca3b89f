import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { expect, test } from 'vitest';
import { placedBy, serverOfState } from './placed.ts';

const at = (
  server_id: string,
  sync_state: Line['sync_state'],
  code?: 'PUSH_NOT_REACHED' | 'PUSH_REFUSED',
): Line['servers'][number] => ({
  ...{ server_id, sync_state, sync_message: null },
  sync_finding: code ? { code, data: {} } : null,
});

const servers = [
  at('a', 'synced'),
  at('b', 'pending'),
  at('c', 'failed', 'PUSH_NOT_REACHED'),
  at('d', 'failed', 'PUSH_REFUSED'),
];

test('a line is on its way to a server that does not respond, and not to one that refused it', () => {
  expect(placedBy(servers)).toEqual({ taken: ['a'], waits: ['b', 'c'], refused: ['d'] });
});

test('what is said of a line names the first server with its worst state', () => {
  const line = { server_id: 'a', servers };
  expect(serverOfState({ ...line, sync_state: 'failed' })).toBe('c');
  expect(serverOfState({ ...line, sync_state: 'pending' })).toBe('b');
  expect(serverOfState({ ...line, sync_state: 'synced' })).toBe('a');
});

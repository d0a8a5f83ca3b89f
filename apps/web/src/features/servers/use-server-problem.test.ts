import { expect, test } from 'vitest';
import { adviceOn } from './use-server-problem.ts';

test('gives advice for each finding', () => {
  const notReached = (reason: string) => adviceOn({ code: 'NOT_REACHED', data: { reason } });
  expect(notReached('connection timed out')).toBe('port');
  expect(notReached('host not found or not allowed')).toBe('host');
  expect(notReached('a reason of long ago')).toBe('port');
  expect(adviceOn({ code: 'HEALTH_CHECK_FAILED', data: { status: 500 } })).toBe('api');
  expect(adviceOn({ code: 'AUTHENTICATION_FAILED', data: { status: 401 } })).toBe('credentials');
  expect(adviceOn({ code: 'CONFIGURATION_INCOMPLETE', data: { fields: ['port'] } })).toBe(
    'settings',
  );
  expect(adviceOn({ code: 'IN_OTHER_WORDS', data: { words: 'Something new' } })).toBe('port');
  expect(adviceOn({ code: 'PLAIN_HTTP', data: {} })).toBeNull();
  expect(adviceOn({ code: 'AGENT_NOT_ALLOWED', data: { reason: 'EACCES' } })).toBeNull();
});

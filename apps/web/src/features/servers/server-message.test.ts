import { expect, test } from 'vitest';
import { adviceOn, readServerMessage } from './server-message.ts';

test('takes the sentences of a test apart', () => {
  expect(readServerMessage('Failed to connect to server: connection timed out')).toEqual({
    sentence: 'connect',
    detail: 'connection timed out',
  });
  expect(readServerMessage('Authentication failed with status: 401')).toEqual({
    sentence: 'auth',
    detail: '401',
  });
  expect(readServerMessage('Something new')).toBeNull();
});

test('advises by what was found', () => {
  expect(adviceOn('Failed to connect to server: connection timed out')).toBe('port');
  expect(adviceOn('Failed to connect to server: host not found or not allowed')).toBe('host');
  expect(adviceOn('Health check failed with status: 500')).toBe('api');
  expect(adviceOn('Authentication failed with status: 401')).toBe('credentials');
  expect(adviceOn('Something new')).toBe('port');
});

import { expect, test } from 'vitest';
import { readPushMessage } from './push-message.ts';

test("takes the panel's sentences about a push apart", () => {
  expect(
    readPushMessage(
      'User was added to database but could not be added to CCcam server: connection refused',
    ),
  ).toEqual({ kind: 'saved', operation: 'add', reason: 'connection refused' });
  expect(readPushMessage('Failed to renew user in CCcam server')).toEqual({
    kind: 'refused',
    operation: 'renew',
  });
});

test("leaves a card server's own words alone", () => {
  expect(readPushMessage('Disk full')).toBeNull();
});

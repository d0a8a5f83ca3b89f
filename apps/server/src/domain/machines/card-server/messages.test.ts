import { findingText } from '@linekeeper/contract/findings.ts';
import { describe, expect, test } from 'vitest';
import { plainText, pushFinding, replyMessage } from './messages.ts';

describe('pushFinding', () => {
  test.each([
    [
      'add',
      'User was added to database but could not be added to CCcam server: connection refused',
    ],
    [
      'edit',
      'User was updated in database but could not be updated in CCcam server: connection refused',
    ],
    [
      'renew',
      'User was renewed in database but could not be renewed in CCcam server: connection refused',
    ],
    [
      'delete',
      'User was deleted from database but could not be deleted from CCcam server: connection refused',
    ],
  ] as const)(
    'unreachable on %s',
    { tags: ['spec:8.6', 'spec:8.7', 'spec:8.8', 'spec:8.9'] },
    (operation, text) => {
      const failure = { kind: 'unreachable', reason: 'connection refused' } as const;
      expect(findingText(pushFinding(operation, failure))).toBe(text);
    },
  );

  test.each([
    ['add', 'Failed to add user to CCcam server'],
    ['edit', 'Failed to update user in CCcam server'],
    ['renew', 'Failed to renew user in CCcam server'],
    ['delete', 'Failed to delete user from CCcam server'],
  ] as const)(
    'refused on %s',
    { tags: ['spec:8.1', 'spec:8.2', 'spec:8.3', 'spec:8.4', 'spec:8.5'] },
    (operation, text) => {
      const textOf = (reason: string) =>
        findingText(pushFinding(operation, { kind: 'refused', reason }));
      expect(textOf('')).toBe(text);
      expect(textOf('Disk full')).toBe('Disk full');
    },
  );
});

describe('plainText', () => {
  test.each([
    ['  a \r\n\t b\u2028c\u00a0d  ', 'a b c d'],
    ['a\0b\u001b[31mc\u007fd\u0085e', 'ab[31mcde'],
    ['\u202eevil\u200b\u2066\ufeff', 'evil'],
    ['\ud800a\udc00', 'a'],
    ['<b>Zażółć</b> 日本 🎉', '<b>Zażółć</b> 日本 🎉'],
    ['\u0000\n ', ''],
  ])('%j', (text, plain) => {
    expect(plainText(text, 200)).toBe(plain);
  });

  test('is cut without leaving half a character or a trailing space', () => {
    expect(plainText('a'.repeat(201), 200)).toBe('a'.repeat(200));
    expect(plainText(`${'a'.repeat(199)}🎉`, 200)).toBe('a'.repeat(199));
    expect(plainText(`${'a'.repeat(199)} b`, 200)).toBe('a'.repeat(199));
  });
});

describe('replyMessage', () => {
  const messageOf = (json: Record<string, unknown> | null, secrets: string[] = []) =>
    replyMessage({ kind: 'reply', status: 400, text: '', json, sent_at: new Date() }, secrets);

  test('is the text under message and nothing else', () => {
    expect(messageOf({ message: ' Disk\nfull ', error: 'x' })).toBe('Disk full');
    expect(messageOf({ error: 'x' })).toBe('');
    expect(messageOf({ message: 7 })).toBe('');
    expect(messageOf(null)).toBe('');
    expect(messageOf({ message: 'x'.repeat(60_000) })).toHaveLength(200);
  });

  test('blots out secrets before it is cut, longer ones first', () => {
    expect(messageOf({ message: `${'x'.repeat(196)}hunter2` }, ['hunter2'])).toBe(
      `${'x'.repeat(196)}***`,
    );
    expect(messageOf({ message: 'pass and password' }, ['pass', 'password'])).toBe('*** and ***');
    expect(messageOf({ message: 'an abc' }, ['abc', ''])).toBe('an abc');
  });
});

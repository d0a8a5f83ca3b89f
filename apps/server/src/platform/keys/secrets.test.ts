import { describe, expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';

const key = 'a secret key for these tests, long enough';
const secrets = createSecrets(key);

describe('a sealed text', () => {
  test.each(['', 'secret', 'Zażółć gęślą jaźń 😀', 'x'.repeat(10_000), 'a\0b'])(
    'opens again for its row: %#',
    (text) => {
      expect(secrets.open(secrets.seal(text, 'row-1'), 'row-1')).toBe(text);
      expect(createSecrets(key).open(secrets.seal(text, 'row-1'), 'row-1')).toBe(text);
    },
  );

  test('does not open for another row', () => {
    const sealed = secrets.seal('secret', 'row-1');
    expect(() => secrets.open(sealed, 'row-2')).toThrow();
    expect(() => secrets.open(sealed, '')).toThrow();
  });

  test('does not open with another key', () => {
    const sealed = secrets.seal('secret', 'row-1');
    expect(() => createSecrets(`${key}!`).open(sealed, 'row-1')).toThrow();
  });

  test('does not open when any byte of it was altered', () => {
    const sealed = secrets.seal('secret', 'row-1');
    const bytes = Buffer.from(sealed.slice(3), 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const altered = Buffer.from(bytes);
      altered[index] = (altered[index] ?? 0) ^ 1;
      const text = `v1:${altered.toString('base64')}`;
      expect(() => secrets.open(text, 'row-1'), `byte ${index}`).toThrow();
    }
    for (const wrong of ['', 'v1:', 'v1', 'v2:AAAA', 'secret']) {
      expect(() => secrets.open(wrong, 'row-1'), wrong).toThrow();
    }
  });

  test.each(['', 'secret'])('of %j does not open when any of it was cut off', (text) => {
    const bytes = Buffer.from(secrets.seal(text, 'row-1').slice(3), 'base64');
    for (let length = 0; length < bytes.length; length++) {
      const cut = `v1:${bytes.subarray(0, length).toString('base64')}`;
      expect(() => secrets.open(cut, 'row-1'), `${length} bytes`).toThrow();
    }
  });

  test('looks different every time and never shows its content', () => {
    const sealed = Array.from({ length: 50 }, () => secrets.seal('secret', 'row-1'));
    expect(new Set(sealed).size).toBe(50);
    for (const text of sealed) {
      expect(text).toMatch(/^v1:[A-Za-z0-9+/]+=*$/);
      expect(Buffer.from(text.slice(3), 'base64').toString('latin1')).not.toContain('secret');
    }
  });
});

test('sessions are signed with a key of their own', () => {
  expect(secrets.sessionKey).not.toContain(key);
  expect(Buffer.from(secrets.sessionKey, 'base64')).toHaveLength(32);
  expect(createSecrets(`${key}!`).sessionKey).not.toBe(secrets.sessionKey);
});

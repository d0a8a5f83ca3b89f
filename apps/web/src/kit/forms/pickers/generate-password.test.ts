import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import { expect, test } from 'vitest';
import { generatePassword, PASSWORD_BITS } from './generate-password.ts';

test('a generated password is one that card servers take', () => {
  for (let round = 0; round < 500; round++) {
    const password = generatePassword();
    expect(password).toMatch(/^[a-z]{5}-[a-z]{5}-[1-9]\d-[a-z]{5}$/);
    expect(linePassword.parse(password)).toBe(password);
  }
});

test('a generated password is long enough and does not repeat', () => {
  expect(PASSWORD_BITS).toBeGreaterThan(50);
  expect(new Set(Array.from({ length: 500 }, generatePassword)).size).toBe(500);
});

import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { newTotpSecret, otpauthUrl, stepOfCode, totpCode } from './totp.ts';

const secret = Secret.fromUTF8('12345678901234567890').base32;

test('secrets are 160 random bits in base32', () => {
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
});

// The examples of Appendix B of RFC 6238, whose codes have two more digits.
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('after %i seconds the code is %s', (seconds, code) => {
  expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code);
});

test('a code is of its step for clocks that are one step off, and no more', () => {
  const code = totpCode(secret, 1000);
  expect([998, 999, 1000, 1001, 1002].map((now) => stepOfCode(secret, code, now))).toEqual([
    null,
    1000,
    1000,
    1000,
    null,
  ]);
  for (const wrong of ['', '1', `${code}0`, code.replace(/./, 'x')]) {
    expect(stepOfCode(secret, wrong, 1000), wrong).toBeNull();
  }
});

test('the QR code names panel and account', () => {
  expect(otpauthUrl(secret, 'a+b@panel.example')).toBe(
    `otpauth://totp/Linekeeper:a%2Bb%40panel.example?secret=${secret}&issuer=Linekeeper`,
  );
});

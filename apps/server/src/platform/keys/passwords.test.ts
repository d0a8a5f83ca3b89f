import { argon2Sync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashCheaply, hashFully } from '../../testing/accounts/password-cost.ts';
import { hashPassword, isCommonPassword, verifyPassword } from './passwords.ts';

beforeAll(hashFully);
afterAll(hashCheaply);

describe('a password', () => {
  let hash: string;
  beforeAll(async () => {
    hash = await hashPassword('correct horse battery');
  });

  test('is kept as argon2id in the PHC format, with a salt of its own', async () => {
    expect(hash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    expect(await hashPassword('correct horse battery')).not.toBe(hash);
  });

  test('is verified, and no other one is', async () => {
    expect(await verifyPassword(hash, 'correct horse battery')).toBe(true);
    for (const wrong of ['Correct horse battery', 'correct horse battery ', '', hash]) {
      expect(await verifyPassword(hash, wrong), wrong).toBe(false);
    }
  });

  test('typed on another keyboard is the same: composed and decomposed letters', async () => {
    const composed = await hashPassword('gr\u00fc\u00dfe aus k\u00f6ln');
    expect(await verifyPassword(composed, 'gru\u0308\u00dfe aus ko\u0308ln')).toBe(true);
  });

  test('hashed with earlier parameters is still verified', async () => {
    const tag = argon2Sync('argon2id', {
      message: Buffer.from('older one'),
      nonce: Buffer.from('saltsalt'),
      parallelism: 1,
      tagLength: 32,
      memory: 8,
      passes: 1,
    });
    const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const older = `$argon2id$v=19$m=8,t=1,p=1$${unpadded(Buffer.from('saltsalt'))}$${unpadded(tag)}`;
    expect(await verifyPassword(older, 'older one')).toBe(true);
    expect(await verifyPassword(older, 'newer one')).toBe(false);
  });

  test.each([
    '',
    'plain text',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$AAAA',
    '$argon2id$v=16$m=19456,t=2,p=1$c2FsdHNhbHQ$AAAA',
    '$argon2id$v=19$m=19456,t=2,p=4$c2FsdHNhbHQ$AAAA',
    '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$AAAA',
    '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$',
  ])('opens no account whose stored hash is malformed: %j', async (malformed) => {
    expect(await verifyPassword(malformed, '')).toBe(false);
    expect(await verifyPassword(malformed, malformed)).toBe(false);
  });
});

test.each(['password', 'PASSWORD123', '12345678', 'Qwerty123', 'linekeeper'])(
  '%s is a common password',
  (password) => expect(isCommonPassword(password)).toBe(true),
);

test('a long sentence is not a common password', () => {
  expect(isCommonPassword('correct horse battery')).toBe(false);
});

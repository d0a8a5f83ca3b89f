import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, onTestFinished, test } from 'vitest';
import { decryptFile, encrypterFor, encryptFile } from './encryption.ts';

const content = Buffer.alloc(300_000, 'a row of the backup\n');

async function encrypted() {
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-encryption-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  const identity = await generateX25519Identity();
  await writeFile(at('key'), `# created: today\n${identity}\n`);
  await writeFile(at('backup'), content);
  const recipient = await identityToRecipient(identity);
  await encryptFile(at('backup'), at('backup.age'), recipient, AbortSignal.timeout(60_000));
  const open = (file: string, key: string) => decryptFile(at(file), at('plain'), at(key));
  return { at, open };
}

test('only the private key gives the backup back, to its owner alone', async () => {
  const { at, open } = await encrypted();
  expect(await readFile(at('backup.age'))).not.toContain('a row of the backup');
  await open('backup.age', 'key');
  expect((await readFile(at('plain'))).equals(content)).toBe(true);
  expect((await stat(at('plain'))).mode & 0o777).toBe(0o600);
});

test('a wrong key, and a file that is none, are named', async () => {
  const { at, open } = await encrypted();
  await writeFile(at('other'), await generateX25519Identity());
  await expect(open('backup.age', 'other')).rejects.toThrow(
    `${at('backup.age')} cannot be decrypted with ${at('other')}`,
  );
  await expect(open('backup.age', 'backup')).rejects.toThrow('has no age private key');
  await writeFile(at('damaged'), 'AGE-SECRET-KEY-1QQQ');
  await expect(open('backup.age', 'damaged')).rejects.toThrow(/is damaged: copy it again$/);
});

test('a file that was cut off or altered is refused', async () => {
  const { at, open } = await encrypted();
  const bytes = await readFile(at('backup.age'));
  await writeFile(at('short.age'), bytes.subarray(0, 200_000));
  await expect(open('short.age', 'key')).rejects.toThrow('was altered, or is cut off');
  bytes.fill(0, bytes.length - 1000, bytes.length - 900);
  await writeFile(at('altered.age'), bytes);
  await expect(open('altered.age', 'key')).rejects.toThrow('was altered, or is cut off');
});

test('a public key with a typing error is refused', async () => {
  const recipient = await identityToRecipient(await generateX25519Identity());
  const last = recipient.endsWith('q') ? 'p' : 'q';
  await expect(encrypterFor(recipient.slice(0, -1) + last)).rejects.toThrow(
    'BACKUP_RECIPIENT is not an age public key',
  );
});

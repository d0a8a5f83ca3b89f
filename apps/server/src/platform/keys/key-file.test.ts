import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Connection } from '../../db/connect.ts';
import { openDatabase } from '../../testing/database/open-database.ts';
import { makeDatabase } from '../../testing/panel.ts';
import { checkSecretKey } from './key-check.ts';
import {
  completeRotation,
  keepNextKey,
  keptKeys,
  readSecretKey,
  settledSecretKey,
  settleNextKey,
} from './key-file.ts';
import { createSecrets, newSecretKey } from './secrets.ts';

let connection: Connection;
beforeAll(async () => {
  const { env } = await makeDatabase('postgres');
  connection = await openDatabase(env);
});
beforeEach(() => connection.db.deleteFrom('settings').execute());

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'linekeeper-key-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const settled = (path: string) => settledSecretKey(connection.db, path);

test('a key is made once, for its owner’s eyes only', async () => {
  const path = await folder();
  const made = await settled(path);
  expect(Buffer.from(made, 'base64')).toHaveLength(32);
  expect(await settled(path)).toBe(made);
  expect((await stat(join(path, 'secret.key'))).mode & 0o777).toBe(0o600);
  expect(await settled(await folder())).not.toBe(made);
});

test('a key provided by the operator is left unchanged', async () => {
  const path = await folder();
  await writeFile(join(path, 'secret.key'), '  brought along \n');
  expect(await settled(path)).toBe('brought along');
  expect(await readFile(join(path, 'secret.key'), 'utf8')).toBe('  brought along \n');
});

describe('a rotation that was cut short', () => {
  /** A database that is encrypted with the given key, and a folder with the present and the next key. */
  async function cutShort(sealedWith: 'present' | 'next' | 'neither') {
    const path = await folder();
    const keys = { present: await settled(path), next: newSecretKey(), neither: newSecretKey() };
    await checkSecretKey(connection.db, createSecrets(keys[sealedWith]));
    keepNextKey(path, keys.next);
    expect((await stat(join(path, 'secret.key.new'))).mode & 0o777).toBe(0o600);
    return { path, ...keys };
  }

  test('before its commit: the present key stays, the next one goes', async () => {
    const { path, present } = await cutShort('present');
    expect(await settled(path)).toBe(present);
    expect(await readdir(path)).toEqual(['secret.key']);
  });

  test('after its commit: the next key takes the place, the one before is kept for older backups', async () => {
    const { path, present, next } = await cutShort('next');
    expect(await settled(path)).toBe(next);
    expect(readSecretKey(path)).toBe(next);
    const [key, kept = '', ...others] = (await readdir(path)).sort();
    expect([key, others]).toEqual(['secret.key', []]);
    expect(kept).toMatch(/^secret\.key\.until-\d{14}$/);
    expect(await readFile(join(path, kept), 'utf8')).toBe(`${present}\n`);
    expect((await stat(join(path, kept))).mode & 0o777).toBe(0o600);
    expect(await completeRotation(connection.db, path)).toBeNull();
  });

  test('after its commit, and the present key is lost', async () => {
    const { path, next } = await cutShort('next');
    await rm(join(path, 'secret.key'));
    expect(await settled(path)).toBe(next);
    expect(await readdir(path)).toEqual(['secret.key']);
  });

  test('its key is never written over', async () => {
    const { path, next } = await cutShort('next');
    keepNextKey(path, next);
    expect(() => keepNextKey(path, newSecretKey())).toThrow('There is a different key in');
    expect(keptKeys(path)).toEqual([{ file: join(path, 'secret.key.new'), key: next }]);
    const file = settleNextKey(path);
    expect(keptKeys(path)).toEqual([{ file, key: next }]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('and others within the same second: each key is kept', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { path, present, next } = await cutShort('next');
    await settled(path);
    const after = newSecretKey();
    await connection.db.deleteFrom('settings').execute();
    await checkSecretKey(connection.db, createSecrets(after));
    keepNextKey(path, after);
    expect(await settled(path)).toBe(after);
    const names = (await readdir(path)).filter((name) => name.includes('until'));
    const keys = names.map((name) => readFileSync(join(path, name), 'utf8').trim());
    expect(keys.sort()).toEqual([present, next].sort());

    const files = [newSecretKey(), newSecretKey(), newSecretKey()].map((key) => {
      keepNextKey(path, key);
      return { file: settleNextKey(path), key };
    });
    expect(keptKeys(path)).toEqual(expect.arrayContaining(files));
    expect(keptKeys(path)).toHaveLength(3);
  });

  test('with keys that are both not the database’s: nothing is thrown away', async () => {
    const { path, present } = await cutShort('neither');
    expect(await settled(path)).toBe(present);
    expect((await readdir(path)).sort()).toEqual(['secret.key', 'secret.key.new']);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../platform/config/config.ts';
import { startS3Server } from '../../../testing/stores/s3-server.ts';
import { startSftpServer } from '../../../testing/stores/sftp-server.ts';
import { measure } from '../backup-files.ts';
import { openStore } from './open-store.ts';
import type { StoreConfig } from './store.ts';

const starts = { S3: startS3Server, SFTP: startSftpServer };

function configOf(settings: Record<string, string>): StoreConfig {
  const { backups } = readConfig({ BACKUP_SCHEDULE: 'hourly', BACKUP_DIR: '/tmp', ...settings });
  if (!backups?.copies || backups.copies.kind === 'command') throw new Error('no store');
  return backups.copies;
}

const content = 'content of a backup\n'.repeat(20_000);
async function newFile(name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, content);
  return { name, path, ...(await measure(path)) };
}

describe.each(['S3', 'SFTP'] as const)('a store by %s', (kind) => {
  async function start(changes: Record<string, string> = {}, signal = AbortSignal.timeout(60_000)) {
    const server = await starts[kind]();
    onTestFinished(async () => void (await server.close()));
    const open = async () => {
      const store = await openStore(configOf({ ...server.settings, ...changes }), signal);
      onTestFinished(() => store.close());
      return store;
    };
    return { server, open };
  }

  test('takes files, gives them back, lists them and removes them', async () => {
    const { open } = await start();
    const store = await open();
    const files = [await newFile('one.lkb.gz'), await newFile('two.lkb.gz')];
    for (const file of files) await store.put(file);
    expect(await store.list()).toEqual(['one.lkb.gz', 'two.lkb.gz']);
    expect(String(await buffer(await store.get('two.lkb.gz')))).toBe(content);
    await store.remove('one.lkb.gz');
    expect(await store.list()).toEqual(['two.lkb.gz']);
    await expect(store.get('one.lkb.gz').then(buffer)).rejects.toThrow(/404|No such file/);
  });

  test('refuses a wrong secret, and does not name it', async () => {
    const { open } = await start({ BACKUP_STORE_SECRET: 'wrong-and-secret' });
    const tried = open().then((store) => store.list());
    await expect(tried).rejects.toThrow(/SignatureDoesNotMatch|authentication methods failed/);
    await expect(tried).rejects.not.toThrow('wrong-and-secret');
  });

  test('says that it is full', async () => {
    const { server, open } = await start();
    server.state.mood = 'full';
    const put = (await open()).put(await newFile('one.lkb.gz'));
    await expect(put).rejects.toThrow(/InsufficientStorage|disk full/);
  });

  test('that does not respond is left when the time is over', async () => {
    const leaving = new AbortController();
    const { server, open } = await start({}, leaving.signal);
    const store = await open();
    server.state.mood = 'silent';
    const put = store.put(await newFile('one.lkb.gz'));
    setImmediate(() => leaving.abort(new Error('too late')));
    await expect(put).rejects.toThrow('too late');
  });

  test('that is away is named', async () => {
    const { server, open } = await start();
    await server.close();
    await expect(open().then((store) => store.list())).rejects.toThrow(
      /127\.0\.0\.1:\d+.*ECONNREFUSED/,
    );
  });
});

test('more files than one answer of S3 holds are all listed', async () => {
  const server = await startS3Server();
  onTestFinished(async () => void (await server.close()));
  for (let number = 0; number < 2000; number++)
    server.objects.set(`panel/${number + 10_000}`, Buffer.alloc(0));
  const store = await openStore(configOf(server.settings), AbortSignal.timeout(60_000));
  expect(await store.list()).toHaveLength(2000);
});

test('a file that SFTP has cut off has another name than a whole one', async () => {
  const server = await startSftpServer();
  onTestFinished(async () => void (await server.close()));
  const store = await openStore(configOf(server.settings), AbortSignal.timeout(60_000));
  server.state.mood = 'full';
  await expect(store.put(await newFile('one.lkb.gz'))).rejects.toThrow('disk full');
  expect([...server.files.keys()]).toEqual(['backups/one.lkb.gz.part']);
  server.state.mood = 'sound';
  await store.put(await newFile('one.lkb.gz'));
  expect([...server.files.keys()]).toEqual(['backups/one.lkb.gz']);
});

test('an SFTP server with another host key gets nothing', async () => {
  const [server, other] = [await startSftpServer(), await startSftpServer()];
  onTestFinished(async () => void (await Promise.all([server.close(), other.close()])));
  const { BACKUP_STORE_FINGERPRINT } = other.settings;
  const config = configOf({ ...server.settings, BACKUP_STORE_FINGERPRINT });
  await expect(openStore(config, AbortSignal.timeout(60_000))).rejects.toThrow(
    `is ${server.settings.BACKUP_STORE_FINGERPRINT}, not BACKUP_STORE_FINGERPRINT, so nothing was sent`,
  );
});

// @module-tag thorough
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../platform/config/config.ts';
import { eventually } from '../../testing/eventually.ts';
import { makeBackupDue } from '../../testing/loops.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { ENVIRONMENT, runProgram } from '../../testing/process/command.ts';
import { startS3Server } from '../../testing/stores/s3-server.ts';
import { metricsOf } from '../../testing/wire/metrics.ts';
import { measure } from './backup-files.ts';
import { readBackupMark } from './make-backup.ts';
import { readCopyState, sendNewest } from './send-backup.ts';

describe.each(databases)('copies of backups on %s', (kind) => {
  let panel: TestPanel;
  let folder: string;
  let store: Awaited<ReturnType<typeof startS3Server>>;
  let recipient: string;
  const inFolder = (name: string) => join(folder, name);
  beforeAll(async () => {
    store = await startS3Server();
    folder = await mkdtemp(join(tmpdir(), 'linekeeper copies '));
    const identity = await generateX25519Identity();
    recipient = await identityToRecipient(identity);
    await writeFile(inFolder('identity'), identity);
    panel = await startTestPanel(kind, { BACKUP_SCHEDULE: 'hourly', BACKUP_DIR: inFolder('made') });
    await isMade(1);
  });
  afterAll(async () => {
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    store.state.mood = 'sound';
  });

  const db = () => panel.services.db;
  const isMade = (number: number) =>
    eventually(async () => {
      const { rows } = await sql`select from backup_runs where state = 'made'`.execute(db());
      expect(rows).toHaveLength(number);
    }, 60_000);
  async function makeAnother() {
    const { rows } = await sql`select from backup_runs where state = 'made'`.execute(db());
    await eventually(async () => expect(await makeBackupDue(db())).toBe(1n));
    await isMade(rows.length + 1);
  }
  const newest = async () => {
    const { rows } = await sql<{ file: string; sha256: string }>`
      select file, sha256 from backup_runs order by due_at desc limit 1`.execute(db());
    return rows[0] ?? { file: '', sha256: '' };
  };
  async function send(
    settings: Record<string, string> = {},
    deadlineMs?: number,
    stopping = new AbortController().signal,
  ) {
    const { env } = panel;
    const given = { BACKUP_SCHEDULE: 'hourly', BACKUP_DIR: inFolder('made'), BACKUP_KEEP: '2' };
    const copies = settings.BACKUP_COMMAND ? {} : store.settings;
    const config = readConfig({ ...env, ...given, ...copies, ...settings });
    // The panel shows what its settings say, and has no job that would send by itself.
    Object.assign(panel.services.config.backups ?? {}, { copies: config.backups?.copies });
    await sendNewest({ ...panel.services, config }, stopping, deadlineMs);
    return readCopyState(db());
  }
  const notices = async () => {
    const { items } = (await panel.admin.get('/api/notifications')).body;
    return items.filter(({ title }: { title: string }) => title.startsWith('Backups do not reach'));
  };

  test('are read back, and the first one is restored as a test', async () => {
    const { file, sha256 } = await newest();
    const state = await send();
    expect(state).toMatchObject({ tried: file, missed: 0, problem: null });
    expect(state.read_back_at).toBeGreaterThan(0);
    expect(state.restored_at).toBeGreaterThan(0);
    await writeFile(inFolder('fetched'), store.objects.get(`panel/${file}`) ?? '');
    expect((await measure(inFolder('fetched'))).sha256).toBe(sha256);
    expect(await readdir(inFolder('made'))).toEqual([file]);
    if (kind === 'postgres') {
      const { rows } =
        await sql`select from pg_database where datname like '%_trial_restore'`.execute(db());
      expect(rows).toEqual([]);
    } else expect(await readdir(panel.services.config.data_dir)).not.toContain('trial-restore');
    // The same backup is not sent twice.
    store.objects.clear();
    await send();
    expect(store.objects.size).toBe(0);
  }, 300_000);

  test('keep as many as BACKUP_KEEP, of this database alone', async () => {
    const mark = await readBackupMark(db());
    const old = [1, 2, 3].map((day) => `panel/linekeeper-2020-01-0${day}-000000-${mark}.lkb.gz`);
    const others = [
      'panel/linekeeper-2020-01-01-000000-ffffffff.lkb.gz',
      'panel/notes',
      `other/linekeeper-2020-01-01-000000-${mark}.lkb.gz`,
    ];
    for (const key of [...old, ...others]) store.objects.set(key, Buffer.from('x'));
    await makeAnother();
    const { tried } = await send();
    expect([...store.objects.keys()].sort()).toEqual([...others, old[2], `panel/${tried}`].sort());
  });

  test('that are damaged, refused or late count as missed, and two in a row are said', async () => {
    const made = await readdir(inFolder('made'));
    await makeAnother();
    store.state.mood = 'corrupting';
    const first = await send();
    expect(first).toMatchObject({ missed: 1, tried: (await newest()).file });
    expect(first.problem).toContain('was read back and differs from what was sent');
    expect([...store.objects.keys()]).not.toContain(`panel/${first.tried}`);
    expect(await notices()).toHaveLength(0);
    expect(await send()).toEqual(first);

    await makeAnother();
    store.state.mood = 'silent';
    const second = await send({}, 1000);
    expect(second.missed).toBe(2);
    expect(second.problem).toMatch(/^not sent: not finished within/);
    expect(await notices()).toHaveLength(1);
    expect((await notices())[0].content).toContain(second.problem);

    await makeAnother();
    store.state.mood = 'full';
    const third = await send();
    expect(third.missed).toBe(3);
    expect(third.problem).toContain('InsufficientStorage');
    expect(await notices()).toHaveLength(1);
    expect((await metricsOf(panel.url)).linekeeper_backup_copies_missed).toBe(3);
    const shown = (await panel.admin.get('/api/system/backups')).body;
    expect(shown).toMatchObject({ missed: 3, problem: third.problem });
    expect(JSON.stringify(shown)).not.toContain(store.settings.BACKUP_STORE_SECRET);

    await makeAnother();
    store.state.mood = 'sound';
    expect(await send()).toMatchObject({ missed: 0, problem: null, tried: (await newest()).file });
    expect(await readdir(inFolder('made'))).toEqual(expect.arrayContaining(made));
  });

  test('are sent after the next start if the panel ends in between', async () => {
    await makeAnother();
    const before = await readCopyState(db());
    store.state.mood = 'silent';
    const ending = new AbortController();
    const sending = send({}, undefined, ending.signal);
    ending.abort();
    await expect(sending).rejects.toThrow();
    expect(await readCopyState(db())).toEqual(before);
    store.state.mood = 'sound';
    expect(await send()).toMatchObject({ tried: (await newest()).file, missed: 0 });
  });

  test('are encrypted for a public key, and restored from the store with the private one', async () => {
    await makeAnother();
    const { file } = await newest();
    await send({ BACKUP_RECIPIENT: recipient });
    const bytes = store.objects.get(`panel/${file}.age`);
    expect(String(bytes?.subarray(0, 21))).toBe('age-encryption.org/v1');
    expect(await readdir(inFolder('made'))).not.toContain('.sending');

    const env = {
      ...ENVIRONMENT,
      DATA_DIR: inFolder('bare'),
      SECRET_KEY:
        panel.services.config.secret_key ??
        (await readFile(join(panel.services.config.data_dir, 'secret.key'), 'utf8')).trim(),
      BACKUP_SCHEDULE: 'hourly',
      BACKUP_DIR: inFolder('bare backups'),
      ...store.settings,
    } as Record<string, string>;
    const restore = (...args: string[]) => runProgram('restore.ts', args, env);
    const listed = await restore('--from-store');
    expect(listed.stdout).toContain(`${file}.age\n`);
    const locked = await restore('--from-store', `${file}.age`);
    expect(locked.stderr).toContain('is encrypted: add --identity');
    const fetched = join(inFolder('bare backups'), `${file}.age`);
    const restored = await restore(fetched, '--identity', inFolder('identity'));
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toMatch(/Restored \d+ rows/);
    expect(await readdir(inFolder('bare backups'))).toEqual([`${file}.age`]);
  }, 300_000);

  test('go to a command, whose only added argument is the path', async () => {
    const script = join(await mkdtemp(join(tmpdir(), 'linekeeper-script-')), 'copy.sh');
    await writeFile(inFolder('said'), '');
    await writeFile(
      script,
      `#!/bin/sh\nprintf '%s|' "$@" > '${inFolder('said')}'\necho copied; [ "$1" = well ]\n`,
      { mode: 0o700 },
    );
    await makeAnother();
    const { file } = await newest();
    const done = await send({ BACKUP_COMMAND: `${script} well` });
    expect(done).toMatchObject({ tried: file, read_back_at: 0, missed: 0 });
    expect(await readFile(inFolder('said'), 'utf8')).toBe(`well|${join(inFolder('made'), file)}|`);
    await makeAnother();
    const failed = await send({ BACKUP_COMMAND: `${script} badly` });
    expect(failed).toMatchObject({
      missed: 1,
      problem: `not sent: ${script} ended with exit code 1: copied`,
    });
    await makeAnother();
    expect((await send({ BACKUP_COMMAND: '/nowhere/command' })).problem).toContain('ENOENT');
    await rm(dirname(script), { recursive: true });
  });
});

// @module-tag thorough

import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { readBackup } from '../../db/backup/read-backup.ts';
import { healClock } from '../../heal-clock.ts';
import { eventually } from '../../testing/eventually.ts';
import { makeBackupDue } from '../../testing/loops.ts';
import { databases, makeDatabase, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { metricsOf } from '../../testing/wire/metrics.ts';
import { measure } from './backup-files.ts';
import { readBackupMark } from './make-backup.ts';

const NAME = /^linekeeper-\d{4}-\d\d-\d\d-\d{6}-[0-9a-f]{8}\.lkb\.gz$/;

describe.each(databases)('a panel with a schedule of backups on %s', (kind) => {
  let panel: TestPanel;
  let folder: string;
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'linekeeper-scheduled-')), 'made', 'by itself');
    panel = await startTestPanel(kind, {
      BACKUP_SCHEDULE: 'hourly',
      BACKUP_DIR: folder,
      BACKUP_KEEP: '2',
    });
  });
  afterAll(async () => {
    await panel?.stop();
    await rm(join(folder, '..', '..'), { recursive: true, force: true });
  });

  const db = () => panel.services.db;
  const backups = async () => (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const audited = async (action: string) =>
    (await panel.admin.get(`/api/audit?action=${action}&sort=created_at`)).body.items;
  const isRunMade = () =>
    eventually(async () => {
      const { rows } = await sql<{ state: string; age: number }>`
        select state, extract(epoch from now() - due_at)::float8 as age from backup_runs
          order by due_at desc limit 1`.execute(db());
      expect(rows[0]?.state).toBe('made');
      expect(rows[0]?.age).toBeLessThan(2 * 3600);
    }, 60_000);

  test('makes the first one at once, whole, readable by its owner alone, and says so', async () => {
    await isRunMade();
    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(NAME);
    const file = join(folder, name);
    const { foot, tables } = await readBackup(file);
    expect(foot.rows).toBeGreaterThan(10);
    expect(tables.map(({ table }) => table)).toContain('auth_users');
    const measured = await measure(file);
    const [entry] = await audited('backup.made');
    expect(entry).toMatchObject({ data: { file: name, ...measured }, actor_id: null });
    const metrics = await metricsOf(panel.url);
    expect(metrics).toMatchObject({
      linekeeper_backup_interval_seconds: 3600,
      linekeeper_backup_last_made_bytes: measured.bytes,
      linekeeper_backup_last_failed_timestamp_seconds: 0,
    });
    const made = metrics.linekeeper_backup_last_made_timestamp_seconds ?? 0;
    expect(Math.abs(Date.now() / 1000 - made)).toBeLessThan(120);
  });

  test('keeps as many as the setting says, of its own alone, and removes what a killed run left', async () => {
    const mark = await readBackupMark(db());
    const others = [
      'linekeeper-2020-01-01-000000.lkb.gz',
      'linekeeper-2020-01-01-000000-ffffffff.lkb.gz',
      'linekeeper-2020-01-01-000000-ffffffff.lkb.gz.part',
      'notes.txt',
    ];
    const parts = [
      `linekeeper-2020-01-01-000001-${mark}.lkb.gz.part`,
      `linekeeper-2020-01-01-000001-${mark}.lkb.gz.rows.part`,
    ];
    const forgotten = 'linekeeper-2020-01-01-000002.lkb.gz.part';
    const old = [
      `linekeeper-2020-01-01-000003-${mark}.lkb.gz`,
      `linekeeper-2020-01-01-000004-${mark}.lkb.gz`,
    ];
    // A panel whose clock was wrong for a while gives its files such names.
    const ahead = `linekeeper-2999-01-01-000000-${mark}.lkb.gz`;
    const [first = ''] = await readdir(folder);
    for (const name of [...others, ...parts, forgotten, ...old, ahead]) {
      await writeFile(join(folder, name), name);
    }
    await utimes(join(folder, forgotten), new Date(0), new Date(0));
    await eventually(async () => expect(await makeBackupDue(db())).toBe(1n));
    await eventually(async () => expect(await audited('backup.made')).toHaveLength(2), 60_000);
    await eventually(async () => expect(await backups()).toHaveLength(4));
    const left = await readdir(folder);
    const [made] = (await audited('backup.made')).map(
      ({ data }: { data: { file: string } }) => data.file,
    );
    expect(left).toEqual(expect.arrayContaining([...others, ahead, first, made]));
    expect(left).toHaveLength(others.length + 3);
    await rm(join(folder, ahead));
  });

  test('takes none of a moment to come for the last that was made', async () => {
    const added = sql`
      insert into backup_runs (due_at, state, file, bytes, sha256, finished_at)
        values (now() + interval '30 days', 'made', 'ahead', 1, 'x', now() + interval '30 days')`;
    await added.execute(db());
    await healClock(panel.services);
    const made = (await metricsOf(panel.url)).linekeeper_backup_last_made_timestamp_seconds;
    expect(made).toBeLessThanOrEqual(Date.now() / 1000);
    await sql`delete from backup_runs where file = 'ahead'`.execute(db());
  });

  test('tells of a failure, keeps what there is, and goes on when it can', async () => {
    const before = await readdir(folder);
    // A file replaces the folder, because even root cannot write into a file as if it were a folder.
    const aside = `${folder} aside`;
    await rename(folder, aside);
    await writeFile(folder, 'in the way');
    await eventually(async () => expect(await makeBackupDue(db())).toBe(1n));
    await eventually(async () => expect(await audited('backup.failed')).toHaveLength(1), 60_000);
    const [entry] = await audited('backup.failed');
    expect(entry.data.folder).toBe(folder);
    expect(entry.data.reason).toBe(`${folder} is a file, not a folder`);
    const { items } = (await panel.admin.get('/api/notifications')).body;
    expect(
      items.filter((item: { title: string }) => item.title === 'A backup failed'),
    ).toHaveLength(1);
    const metrics = await metricsOf(panel.url);
    expect(metrics.linekeeper_backup_last_failed_timestamp_seconds).toBeGreaterThan(
      metrics.linekeeper_backup_last_made_timestamp_seconds ?? Infinity,
    );
    expect(await readFile(folder, 'utf8')).toBe('in the way');
    await rm(folder);
    await rename(aside, folder);
    expect(await readdir(folder)).toEqual(before);
    // The next attempt belongs to the same run.
    await eventually(async () => {
      const { numAffectedRows } = await sql`update schedules set next_at = now()
        where name = 'backup' and next_at > now() + interval '20 seconds'`.execute(db());
      expect(numAffectedRows).toBe(1n);
    });
    await isRunMade();
    const after = await metricsOf(panel.url);
    expect(after.linekeeper_backup_last_made_timestamp_seconds).toBeGreaterThan(
      after.linekeeper_backup_last_failed_timestamp_seconds ?? Infinity,
    );
    expect(await audited('backup.failed')).toHaveLength(1);
  });
});

test.each(databases)(
  'what a killed panel left on %s goes when the next one starts',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'linekeeper-killed-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const database = await makeDatabase(kind);
    const settings = {
      HOST: '127.0.0.1',
      PORT: '0',
      BACKUP_SCHEDULE: 'hourly',
      BACKUP_DIR: folder,
    };
    const start = () => startPanel({ ...settings, ...database.env }, pino({ level: 'silent' }));
    const panel = await start();
    await eventually(async () =>
      expect((await sql`select from backup_runs`.execute(panel.services.db)).rows).toHaveLength(1),
    );
    const mark = await readBackupMark(panel.services.db);
    const [fresh, stale] = [1, 2].map(
      (number) => `linekeeper-2020-01-01-00000${number}-${mark}.lkb.gz.part`,
    );
    const made = await readdir(folder);
    for (const name of [fresh, stale]) await writeFile(join(folder, name ?? ''), '');
    await utimes(join(folder, stale ?? ''), new Date(0), new Date(0));
    await panel.close();
    const next = await start();
    onTestFinished(() => next.close());
    // On PostgreSQL a new file may be one that another panel is still writing.
    const left = kind === 'postgres' ? [fresh, ...made] : made;
    expect(await readdir(folder)).toEqual(expect.arrayContaining(left));
    expect(await readdir(folder)).toHaveLength(left.length);
  },
);

test('of two panels on one database one makes the backup', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-two-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const schedule = { BACKUP_SCHEDULE: 'hourly', BACKUP_DIR: folder };
  const first = await startTestPanel('postgres', schedule);
  onTestFinished(() => first.stop());
  const others: Panel[] = [];
  for (const settings of [schedule, { BACKUP_SCHEDULE: '', BACKUP_DIR: '' }]) {
    others.push(await startPanel({ ...first.env, ...settings }, pino({ level: 'silent' })));
  }
  onTestFinished(async () => void (await Promise.all(others.map((panel) => panel.close()))));
  for (let made = 1; made <= 3; made++) {
    await eventually(async () => expect(await makeBackupDue(first.services.db)).toBe(1n), 60_000);
    // The audit log shows the number of backups. The files do not, because two that are made within
    // one second have the same name.
    const { items } = (await first.admin.get('/api/audit?action=backup.made')).body;
    expect(items).toHaveLength(made);
  }
  for (const name of await readdir(folder)) expect(name).toMatch(NAME);
});

describe('a folder that cannot be written to', () => {
  test('is said at the start, and the panel runs without it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'linekeeper-unwritable-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'file'), '');
    const dir = join(folder, 'file', 'backups');
    const settings = {
      BACKUP_SCHEDULE: 'hourly',
      BACKUP_DIR: dir,
      DATA_DIR: join(folder, 'd'),
      PORT: '0',
    };
    const said: string[] = [];
    const panel = await startPanel(settings, pino({ level: 'silent' }), {
      say: async (line) => void said.push(line),
    });
    onTestFinished(() => panel.close());
    expect(said.join('\n')).toContain(`BACKUP_DIR: ${dir} cannot be written to (`);
    await eventually(async () => {
      const runs = await panel.services.db.selectFrom('backup_runs').select('state').execute();
      expect(runs).toEqual([{ state: 'failed' }]);
    }, 60_000);
    expect((await fetch(`${panel.url}/ready`)).status).toBe(200);
  });

  test('has to be named', async () => {
    const start = startPanel({ BACKUP_SCHEDULE: 'hourly' }, pino({ level: 'silent' }));
    await expect(start).rejects.toThrow('BACKUP_DIR is required with BACKUP_SCHEDULE');
  });
});

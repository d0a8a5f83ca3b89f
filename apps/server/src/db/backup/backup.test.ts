// @module-tag thorough
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAwkwardRows, awkwardId as id } from '../../testing/database/awkward-rows.ts';
import { dump } from '../../testing/database/dump.ts';
import { openDatabase } from '../../testing/database/open-database.ts';
import type { TestDatabase } from '../../testing/panel.ts';
import { makeMigratedDatabase } from '../../testing/process/process.ts';
import { type Connection, connectPostgres } from '../connect.ts';
import { hasSchema, migrate, pendingMigrations } from '../migrate.ts';
import type { Db } from '../transaction.ts';
import { readBackup } from './read-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { isLeftOut } from './tables.ts';
import { writeBackup } from './write-backup.ts';

const urls = new WeakMap<Connection, string>();

async function open(kind: TestDatabase): Promise<Connection> {
  const { env } = await makeMigratedDatabase(kind);
  const connection = await openDatabase(env);
  if (env.DATABASE_URL) urls.set(connection, env.DATABASE_URL);
  return connection;
}

/**
 * All rows of the database, read over separate connections, because a restore refuses to begin
 * while other connections are open.
 */
async function dumpOf(connection: Connection) {
  const url = urls.get(connection);
  const reader = url ? await connectPostgres(url) : connection;
  const found = await dump(reader.db);
  if (url) await reader.close();
  return found;
}

let folder: string;
let source: Connection;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linekeeper-backup-'));
  source = await open('postgres');
  await addAwkwardRows(source.db);
  file = join(folder, 'source.lkb.gz');
  await writeBackup(source.db, file, { packed: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const leftOut = { auth_sessions: [], rate_limits: [], schema_migrations: 'see below' };

/** The content of the database, without the tables that a backup leaves out and without the times of migrations. */
async function holdings(db: Db): Promise<Record<string, unknown>> {
  const names = await sql`select name from schema_migrations order by name`.execute(db);
  return { ...(await dump(db)), ...leftOut, migrations: names.rows };
}

/** Columns, constraints, indexes, functions and triggers as SQL definitions. */
async function schemaOf(db: Db) {
  const { rows } = await sql<{ part: string }>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as part
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    union all select pg_get_functiondef(pg_proc.oid) from pg_proc
      where pronamespace = 'public'::regnamespace and prolang <> 13 and prokind = 'f'
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    order by 1`.execute(db);
  return rows.map(({ part }) => part);
}

async function expectRulesAwake(db: Db): Promise<void> {
  await expect(sql`delete from credit_transfers`.execute(db)).rejects.toThrow('append-only');
  await expect(
    sql`insert into jobs (id, account_id, action, total) values (${id(1)}, ${id(99)}, 'renew', 1)`.execute(
      db,
    ),
  ).rejects.toThrow('foreign key');
}

/** Expects that a file that changes between its two readings is noticed, long after the old rows were deleted. */
async function expectNothingChangedHalfway(target: Connection): Promise<void> {
  const before = await dumpOf(target);
  const path = join(folder, 'swapped.lkb.gz');
  await writeFile(path, await readFile(file));
  const summary = await readBackup(path);
  const whole = gunzipSync(await readFile(file)).toString();
  await writeFile(path, gzipSync(whole.replace('"line7"', '"other"')));
  await expect(restoreBackup(target, path, summary, { replace: true })).rejects.toThrow(
    'was altered',
  );
  expect(await dumpOf(target)).toEqual(before);
}

test('leaves out no table to which one that it has refers', async () => {
  const { rows } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace`.execute(source.db);
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(({ from, to }) => isLeftOut(to) && !isLeftOut(from))).toEqual([]);
});

const proofs = async (path: string) => (await readBackup(path)).tables;

test('goes from PostgreSQL to the embedded database and back, and is the same at every step', async () => {
  const expected = await holdings(source.db);
  expect(expected.users).toHaveLength(1200);
  let path = file;
  for (const kind of ['embedded', 'postgres'] as const) {
    const target = await open(kind);
    await restoreBackup(target, path, await readBackup(path), { replace: false });
    expect(await holdings(target.db)).toEqual(expected);
    expect(await sql`select from auth_sessions`.execute(target.db)).toMatchObject({ rows: [] });
    path = join(folder, `from-${kind}.lkb.gz`);
    await writeBackup(target.db, path, { packed: true });
    expect(await proofs(path)).toEqual(await proofs(file));
    if (kind === 'postgres') expect(await schemaOf(target.db)).toEqual(await schemaOf(source.db));
    await expectRulesAwake(target.db);
    if (kind === 'embedded') await expectNothingChangedHalfway(target);
  }
});

test('is for its owner’s eyes only and holds no session', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = gunzipSync(await readFile(file)).toString();
  expect(text).toContain('below@x');
  expect(text).not.toContain('nobody may bring back');
  expect(text).not.toContain('counted@x');
});

test('is read as browsers leave it: packed again, unpacked, edited, and under another name', async () => {
  const packed = await readFile(file);
  const text = gunzipSync(packed);
  const marked = Buffer.concat([Buffer.from('\ufeff'), text]);
  for (const [name, content] of [
    ['backup.lkb', text],
    ['download (1).gz', text],
    ['backup', packed],
    ['backup.lkb.gz.gz', gzipSync(packed)],
    ['backup.gz.gz.gz', gzipSync(gzipSync(packed))],
    ['backup.lkb.gz.txt', packed],
    ['backup.txt', text],
    ['backup.json', marked],
    ['backup.json.gz', gzipSync(marked)],
    ['notepad.txt', Buffer.from(marked.toString().replaceAll('\n', '\r\n'))],
  ] as const) {
    const path = join(folder, name);
    await writeFile(path, content);
    expect(await proofs(path)).toEqual(await proofs(file));
  }
});

describe('a file that is not the whole backup', () => {
  const text = async () => gunzipSync(await readFile(file)).toString();

  async function refusal(content: Buffer | string): Promise<string> {
    const path = join(folder, 'spoiled.lkb.gz');
    await writeFile(path, content);
    return readBackup(path).then(
      () => 'accepted',
      (error: Error) => error.message.replace(path, 'it'),
    );
  }

  const cutOff = 'it is cut off: it is not a complete backup. Download or copy it again';
  const damaged =
    'it was altered or is damaged: its checksums are wrong. Download or copy it again, or restore another backup';
  test('is refused where it is cut off, packed or not', async () => {
    const packed = await readFile(file);
    for (const share of [0.1, 0.5, 0.99]) {
      const part = packed.subarray(0, packed.length * share);
      expect(await refusal(part)).toBe(cutOff);
    }
    const whole = await text();
    const lines = whole.split('\n');
    const cuts = [
      whole.length / 2,
      whole.length - 20,
      whole.lastIndexOf('\n', whole.length - 2) + 1,
    ];
    for (const cut of cuts) {
      expect(await refusal(gzipSync(whole.slice(0, cut)))).toBe(cutOff);
    }
    const withoutOneRow = lines.filter((line) => !line.includes('"line7"'));
    expect(withoutOneRow).toHaveLength(lines.length - 1);
    expect(await refusal(gzipSync(withoutOneRow.join('\n')))).toMatch(
      /^it was altered or is damaged/,
    );
  });

  test.each([
    ['a row', '"line7"', '"line8"'],
    ['a name of a column', '"host_port"', '"host_part"'],
    ['a checksum', '"sha256":"', '"sha256":"0'],
    ['the head', '"created_at":"2', '"created_at":"1'],
  ])('is refused where somebody altered %s', async (_, from, to) => {
    const altered = (await text()).replace(from, to);
    expect(altered).not.toBe(await text());
    expect(await refusal(gzipSync(altered))).toMatch(/^it was altered or is damaged/);
  });

  test('is refused where a byte went bad', async () => {
    const packed = await readFile(file);
    packed[packed.length >> 1] = (packed[packed.length >> 1] ?? 0) ^ 1;
    expect(await refusal(packed)).toMatch(/^it (was altered or is damaged|is cut off)/);
  });

  test('is refused with what to do about it', async () => {
    const whole = await text();
    const sentences: [string | Buffer, string][] = [
      ['', 'it is empty: download or copy the backup again'],
      [gzipSync(''), 'it is empty: download or copy the backup again'],
      ['PK\x03\x04 …', 'it is a ZIP archive: unpack it, and restore the file in it'],
      [
        Buffer.from(`\ufeff${whole}`, 'utf16le'),
        'it was saved as UTF-16 by another program: download or copy the backup again',
      ],
      [
        [1, 2, 3, 4].reduce((content) => gzipSync(content), Buffer.from(whole)),
        'it was packed with gzip more than 3 times: unpack it with gunzip first',
      ],
      [gzipSync(gzipSync(whole).subarray(0, 1000)), cutOff],
      [`${whole}{}\n`, damaged],
      [`${whole}{`, damaged],
      [
        '<!doctype html>\n<title>Sign in</title>\n',
        'it is not a backup of Linekeeper. Choose a file that the panel or "npm run backup" made: its name begins with linekeeper-',
      ],
    ];
    for (const [content, sentence] of sentences) expect(await refusal(content)).toBe(sentence);
  });

  test.each(['no gzip', gzipSync('other text'), gzipSync('{"format":"other"}\n')])(
    'is refused where it never was one: %#',
    async (content) => {
      expect(await refusal(content)).toMatch(/^it is (not a backup of Linekeeper|cut off)/);
    },
  );

  /** A file with correct checksums, as anybody who knows the format could make it. */
  function forged(tables: { columns: string[]; rows: string[] }[]): string {
    const sha = (content: string) => createHash('sha256').update(content).digest('hex');
    const migrations = ['0001_first.sql'];
    const head = { format: 'linekeeper-backup', version: 1, created_at: new Date(), migrations };
    const parts = tables.flatMap(({ columns, rows }, at) => {
      const lines = rows.map((row) => `${row}\n`);
      const proof = { rows: rows.length, sha256: sha(lines.join('')) };
      return [
        `${JSON.stringify({ table: `t${at}`, columns })}\n`,
        ...lines,
        `${JSON.stringify(proof)}\n`,
      ];
    });
    const before = [`${JSON.stringify(head)}\n`, ...parts].join('');
    const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
    return `${before}${JSON.stringify({ tables: tables.length, rows, sha256: sha(before) })}\n`;
  }

  test('is refused where it would fill the memory, packed or not', async () => {
    const row = (bytes: number) => JSON.stringify(['a'.repeat(bytes)]);
    const table = { columns: ['a'], rows: [row(10)] };
    expect(await refusal(forged([table]))).toBe('accepted');
    const bombs = [
      forged([{ columns: ['a'], rows: [row(20 * 1024 * 1024)] }]),
      forged([{ columns: Array(100_000).fill('a'), rows: [] }]),
      forged(Array(1001).fill(table)),
      'a'.repeat(20 * 1024 * 1024),
    ];
    for (const bomb of bombs) {
      const packed = gzipSync(bomb, { level: 1 });
      for (const content of [bomb, packed, gzipSync(packed)]) {
        expect(await refusal(content)).toMatch(/^it (was altered or is damaged|is not a backup)/);
      }
    }
  });

  test('is refused where a newer panel made it', async () => {
    const newer = (await text()).replace('"version":1', '"version":2');
    expect(await refusal(gzipSync(newer))).toMatch(/made by a newer panel/);
    const path = join(folder, 'newer.lkb.gz');
    const summary = await readBackup(file);
    const unknown = { ...summary, head: { ...summary.head, migrations: ['9999_unknown'] } };
    await expect(restoreBackup(source, path, unknown, { replace: true })).rejects.toThrow(
      'made by a newer panel',
    );
  });
});

describe('the database it goes to', () => {
  test('is left alone where it is not empty, unless it is to be replaced', async () => {
    const target = await open('postgres');
    await sql`insert into auth_users (id, email, username, group_id)
      values (${id(50)}, 'present@x', 'present', '1')`.execute(target.db);
    const before = await dumpOf(target);
    const summary = await readBackup(file);
    await expect(restoreBackup(target, file, summary, { replace: false })).rejects.toThrow(
      'This database is not empty: it has 1 accounts and 0 lines. Nothing was changed',
    );
    expect(await dumpOf(target)).toEqual(before);
    await restoreBackup(target, file, summary, { replace: true });
    expect(await holdings(target.db)).toEqual(await holdings(source.db));
  });

  test('is as it was where a restore ends halfway', async () => {
    const target = await open('postgres');
    await sql`insert into auth_users (id, email, username, group_id)
      values (${id(50)}, 'present@x', 'present', '1')`.execute(target.db);
    await expectNothingChangedHalfway(target);
    await expectRulesAwake(target.db);
  });

  test('may have no schema yet, but none of something else', async () => {
    const target = await open('postgres');
    expect(await hasSchema(target.db)).toBe(true);
    const empty = `drop schema public cascade; create schema public`;
    await target.query(empty);
    expect(await hasSchema(target.db)).toBe(false);
    await target.query('create table invoices (id int)');
    const summary = await readBackup(file);
    await expect(restoreBackup(target, file, summary, { replace: true })).rejects.toThrow(
      'This database belongs to another program: it has the table invoices',
    );
    await target.query('drop table invoices');
    await restoreBackup(target, file, summary, { replace: false });
    expect(await holdings(target.db)).toEqual(await holdings(source.db));
  });

  test('gets the migrations that came after the backup', async () => {
    const older = await open('postgres');
    const target = await open('postgres');
    await older.query('drop schema public cascade; create schema public');
    await migrate(older.db, '0001_foundation');
    await sql`insert into auth_users (id, email, username, group_id)
      values (${id(60)}, 'long-ago@x', 'long ago', '1')`.execute(older.db);
    const path = join(folder, 'older.lkb.gz');
    await writeBackup(older.db, path, { packed: true });
    await restoreBackup(target, path, await readBackup(path), { replace: false });
    const { rows } = await sql`select email from auth_users`.execute(target.db);
    expect(rows).toEqual([{ email: 'long-ago@x' }]);
    expect(await schemaOf(target.db)).toEqual(await schemaOf(source.db));
    expect(await pendingMigrations(target.db)).toEqual([]);
  });

  test('has in each table a key of stored columns, by which it is read', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r'
        and relnamespace = 'public'::regnamespace and not exists (
          select from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
            where indrelid = pg_class.oid and indisprimary and attgenerated = '')`.execute(
      source.db,
    );
    expect(rows).toEqual([]);
  });

  test('has no sequences whose value says something of its rows: a backup would not carry it', async () => {
    const { rows } = await sql`select relname from pg_class where relkind = 'S'`.execute(source.db);
    expect(rows).toEqual([{ relname: 'lines_version' }]);
  });
});

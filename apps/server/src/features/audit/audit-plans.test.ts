import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../core/context.ts';
import { connectPostgres } from '../../db/connect.ts';
import { openRecorder, type Recorder, rowsTouched } from '../../testing/database/statements.ts';
import { makeMigratedDatabase } from '../../testing/process.ts';
import { seed } from '../../testing/seed/lines.ts';
import { seedRecords } from '../../testing/seed/records.ts';
import { listAudit } from './list-audit.ts';

const ENTRIES = 20_000;
const MOST_ROWS = 1000;

let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let recorder: Recorder;
let pool: pg.Pool;

beforeAll(async () => {
  database = await makeMigratedDatabase('postgres');
  const url = database.env.DATABASE_URL ?? '';
  const connection = await connectPostgres(url);
  await seed(connection.db, { accounts: ENTRIES, lines: ENTRIES });
  await seedRecords(connection.db, ENTRIES);
  await sql`vacuum analyze`.execute(connection.db);
  await connection.close();
  recorder = openRecorder(url);
  pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
});
afterAll(async () => {
  await pool?.end();
  await recorder?.close();
  await database?.remove();
});

test('a search of the audit log finds its entries by indexes', async () => {
  const { rows } = await sql<{ username: string }>`
    select data ->> 'username' as username from audit_log limit 1`.execute(recorder.db);
  const q = rows[0]?.username;
  expect(q).toBeTruthy();
  const ctx = { db: recorder.db, config: { time_zone: 'UTC' } } as Ctx;
  const statements = await recorder.record(() =>
    listAudit(ctx, { query: { limit: 50, sort: '-created_at', q } } as Parameters<
      typeof listAudit
    >[1]),
  );
  for (const statement of statements) {
    expect(await rowsTouched(pool, statement), statement.sql).toBeLessThanOrEqual(MOST_ROWS);
  }
});

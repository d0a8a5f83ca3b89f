// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../domain/context/context.ts';
import { openPlans, type Plans } from '../../testing/database/plans.ts';
import { openRecorder, type Recorder, rowsTouched } from '../../testing/database/statements.ts';
import { seed } from '../../testing/seed/lines.ts';
import { seedRecords } from '../../testing/seed/records.ts';
import { listAudit } from './list-audit.ts';

const ENTRIES = 20_000;
const MOST_ROWS = 1000;

let plans: Plans;
beforeAll(async () => {
  plans = await openPlans(async (db) => {
    await seed(db, { accounts: ENTRIES, lines: ENTRIES });
    await seedRecords(db, ENTRIES);
    await sql`vacuum analyze`.execute(db);
  });
});

/** Reads a page of the entries about a line that has few entries. */
async function search(recorder: Recorder) {
  const { db } = recorder;
  const { rows } = await sql<{ username: string }>`
    select data ->> 'username' as username from audit_log order by id limit 1`.execute(db);
  const q = rows[0]?.username;
  expect(q).toBeTruthy();
  const ctx = { db, config: { time_zone: 'UTC' } } as Ctx;
  const query = { limit: 50, sort: '-created_at', q };
  let ids: string[] = [];
  const statements = await recorder.record(async () => {
    const { items } = await listAudit(ctx, { query } as Parameters<typeof listAudit>[1]);
    ids = items.map(({ id }) => id);
  });
  const touched = await Promise.all(
    statements.map((statement) => rowsTouched(plans.pool, statement)),
  );
  return { ids, touched };
}

test('a search of the audit log finds its entries by indexes', async () => {
  const { ids, touched } = await search(plans.recorder);
  expect(ids).not.toEqual([]);
  expect(Math.max(...touched)).toBeLessThanOrEqual(MOST_ROWS);
});

test('the same are found where PostgreSQL believes in millions of entries and lines', async () => {
  const usual = await search(plans.recorder);
  const large = `oid in ('users'::regclass, 'audit_log'::regclass)`;
  await plans.pool.query(`update pg_class set reltuples = 10000000 where ${large}`);
  // Another process is needed, because a process remembers the size of a table for a while.
  const recorder = openRecorder(plans.url);
  const { ids, touched } = await search(recorder).finally(() => recorder.close());
  expect(ids).toEqual(usual.ids);
  expect(touched.length).toBeGreaterThan(usual.touched.length);
  expect(Math.max(...touched)).toBeLessThanOrEqual(MOST_ROWS);
});

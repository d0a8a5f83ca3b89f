import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../core/context.ts';
import { openPlans, type Plans } from '../../testing/database/plans.ts';
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
afterAll(() => plans?.close());

test('a search of the audit log finds its entries by indexes', async () => {
  const { db } = plans.recorder;
  const { rows } = await sql<{ username: string }>`
    select data ->> 'username' as username from audit_log limit 1`.execute(db);
  const q = rows[0]?.username;
  expect(q).toBeTruthy();
  const ctx = { db, config: { time_zone: 'UTC' } } as Ctx;
  const query = { limit: 50, sort: '-created_at', q };
  const touched = await plans.touched(() =>
    listAudit(ctx, { query } as Parameters<typeof listAudit>[1]),
  );
  expect(touched).not.toEqual([]);
  expect(Math.max(...touched)).toBeLessThanOrEqual(MOST_ROWS);
});

// @module-tag thorough
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../domain/context/context.ts';
import { SALES } from '../../domain/credits/credits.ts';
import { openPlans, type Plans } from '../../testing/database/plans.ts';
import { seed, seededAccount } from '../../testing/seed/lines.ts';
import { BUSY_ACCOUNT, seedRecords } from '../../testing/seed/records.ts';
import { listTransfers } from './list-transfers.ts';

const TRANSFERS = 20_000;
const BUNDLES = 60;
const IN_EACH = 1000;
const MOST_ROWS = 4000;

let plans: Plans;
const busy = seededAccount(BUSY_ACCOUNT);

beforeAll(async () => {
  plans = await openPlans(async (db) => {
    await seed(db, { accounts: 2000, lines: 2000 });
    await seedRecords(db, TRANSFERS);
    await db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`
        insert into credit_transfers (id, kind, from_id, to_id, amount, actor_id, username, created_at,
          job_id, bundle_id, bundle_nth, bundle_amount)
        select md5(bundle || ' ' || nth)::uuid, 'renewal', ${busy}, ${SALES}, 2, ${busy}, 'box' || nth,
          now() - (${BUNDLES} - bundle) * interval '1 hour' + nth * interval '1 millisecond',
          md5('job' || bundle)::uuid,
          case when nth > 1 then md5(bundle || ' 1')::uuid end,
          case when nth > 1 then nth end, case when nth > 1 then 2 * nth end
        from generate_series(1, ${BUNDLES}) as bundle, generate_series(1, ${IN_EACH}) as nth`.execute(
        tx,
      );
    });
    await sql`vacuum analyze`.execute(db);
  });
});
afterAll(() => plans?.close());

const touched = (id: string, is_admin: boolean, query: object) => {
  const ctx = {
    db: plans.recorder.db,
    actor: { id, is_admin, permissions: [] },
    config: { time_zone: 'UTC' },
  } as unknown as Ctx;
  const asked = { query: { limit: 50, sort: '-created_at', ...query } };
  return plans.touched(async () => {
    const { items } = await listTransfers(ctx, asked as Parameters<typeof listTransfers>[1]);
    expect(items.length).toBeGreaterThan(0);
  });
};

test.each([
  ['an account', busy, false, { bundled: true }],
  ['an account of many below', seededAccount(3), false, { bundled: true }],
  ['an administrator', seededAccount(1), true, { bundled: true }],
  [
    'an administrator of one kind',
    seededAccount(1),
    true,
    { bundled: true, kind: ['renewal'], limit: 25 },
  ],
] as const)(
  'a page of bundles of thousands is read without them, by %s',
  async (_, id, all, query) => {
    const rows = await touched(id, all, query);
    // The first statement asks whose transfers the account sees. The statements after the page
    // count totals, up to their limits.
    const page = rows[all ? 0 : 1];
    expect(page).toBeLessThanOrEqual(MOST_ROWS);
  },
);

test.each([
  ['its account', busy, false],
  ['an administrator', seededAccount(1), true],
] as const)('a bundle is opened page by page, by %s', async (_, id, all) => {
  const { rows } = await plans.pool.query(
    `select bundle_id from credit_transfers where bundle_nth = 2 order by created_at desc limit 1`,
  );
  const query = { bundled: true, bundle_id: rows[0].bundle_id, limit: 25 };
  const page = (await touched(id, all, query))[all ? 0 : 1];
  expect(page).toBeLessThanOrEqual(2 * IN_EACH + 100);
});

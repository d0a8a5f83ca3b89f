// @module-tag thorough
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '../../domain/context/access.ts';
import { openPlans, type Plans } from '../../testing/database/plans.ts';
import { seed, seededAccount } from '../../testing/seed/lines.ts';
import { listAccounts } from './store.ts';

const ACCOUNTS = 20_000;
const MOST_ROWS = 1000;

let plans: Plans;

const actor = (id: string, is_admin: boolean): SignedIn => ({
  id,
  email: '',
  group_id: is_admin ? '1' : '2',
  is_admin,
  permissions: ['view_users', 'add_credits'],
});
const admin = actor(seededAccount(1), true);
const leaf = actor(seededAccount(ACCOUNTS), false);

beforeAll(async () => {
  plans = await openPlans(async (db) => {
    await seed(db, { accounts: ACCOUNTS, lines: 40_000 });
    await sql`update auth_users set last_sign_in_at = now() - random() * interval '99 days'
      where random() < 0.8`.execute(db);
    await sql`vacuum analyze auth_users`.execute(db);
  });
});
afterAll(() => plans?.close());

const touched = (who: SignedIn, query: object): Promise<number[]> =>
  plans.touched(() =>
    listAccounts(plans.recorder.db, who, { limit: 50, sort: '-created_at', ...query }),
  );

test.each(['created_at', 'email', 'lines', 'last_sign_in'].flatMap((sort) => [sort, `-${sort}`]))(
  'a page of all accounts sorted by %s does not read them all',
  async (sort) => {
    const [page] = await touched(admin, { sort });
    expect(page).toBeLessThanOrEqual(MOST_ROWS);
  },
);

test.each(['-created_at', '-lines', 'credits', 'last_sign_in'])(
  'an account with nobody below it does not pass by others, sorted by %s',
  async (sort) => {
    expect(Math.max(...(await touched(leaf, { sort })))).toBeLessThanOrEqual(MOST_ROWS);
  },
);

test('who is searched for is found by an index', async () => {
  const [page] = await touched(admin, { q: 'account-12345' });
  expect(page).toBeLessThanOrEqual(MOST_ROWS);
});

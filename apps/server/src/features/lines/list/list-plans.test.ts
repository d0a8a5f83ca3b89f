// @module-tag thorough
import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectPostgres } from '../../../db/connect.ts';
import type { Scope } from '../../../domain/context/access.ts';
import { lineSets } from '../../../domain/lines/line-sets.ts';
import { countUpTo } from '../../../platform/paging/pages.ts';
import { openPlans, type Plans } from '../../../testing/database/plans.ts';
import { openRecorder, type Recorder, rowsTouched } from '../../../testing/database/statements.ts';
import { seed, seededAccount } from '../../../testing/seed/lines.ts';
import { seedPresence } from '../../../testing/seed/presence.ts';
import { countLines, listLines } from './store.ts';

const LINES = 21_000;
const ACCOUNTS = 400;
const MOST_ROWS = 1000;
const TODAY = new Date().toISOString().slice(0, 10);

type Query = Partial<Parameters<typeof listLines>[3]>;

const cursor = (sort: string, value: string) =>
  Buffer.from(JSON.stringify([sort, value, crypto.randomUUID()])).toString('base64url');
const middle = addDays(TODAY, -500);

const pages: Record<string, Query> = {
  'newest first': {},
  'oldest first': { sort: 'added_date' },
  'by expiry date': { sort: 'expiry_date' },
  'by expiry date, last first': { sort: '-expiry_date' },
  'by username': { sort: 'username' },
  'by username, last first': { sort: '-username' },
  'a later page, newest first': { cursor: cursor('-added_date', middle) },
  'a later page by expiry date': { sort: 'expiry_date', cursor: cursor('expiry_date', TODAY) },
  'a later page by username': { sort: 'username', cursor: cursor('username', 'box8') },
  'a word of few lines': { q: 'box45a9' },
  'a word of nobody': { q: 'no such word' },
  'the start of a username': { q: 'bo' },
  'status active': { status: ['active'] },
  'status expired': { status: ['expired'] },
  'status inactive': { status: ['inactive'] },
  'status suspended': { status: ['suspended'] },
  trials: { is_trial: true },
  'expiring within 7 days': { expires_within: 7 },
  'expired before today': { expired_for: 0 },
  'expired more than 30 days ago': { expired_for: 30 },
  'expired more than a year ago': { expired_for: 365 },
  'expired more than a year ago, by expiry': { expired_for: 365, sort: 'expiry_date' },
  'on the server': { sync_state: ['synced'] },
  'not yet on the server': { sync_state: ['pending'] },
  'refused by the server': { sync_state: ['failed'] },
  'active or expired': { status: ['active', 'expired'] },
  'each status': { status: ['active', 'expired', 'inactive', 'suspended'] },
  'on its way or refused': { sync_state: ['pending', 'failed'] },
  'active or suspended, by username': { status: ['active', 'suspended'], sort: 'username' },
  'names too long for CCcam': { has_long_name: true },
  'connected first': { sort: '-last_seen' },
  'never connected first': { sort: 'last_seen' },
  'a later page, last seen': { sort: '-last_seen', cursor: cursor('-last_seen', `${TODAY}`) },
  'a later page, of those never connected': {
    sort: '-last_seen',
    cursor: cursor('-never_seen', middle),
  },
  'online now': { presence: ['online'] },
  'online now, connected first': { presence: ['online'], sort: '-last_seen' },
  'not online': { presence: ['offline'] },
  'not known': { presence: ['unknown'] },
  'seen within a week': { seen_within: 7 },
  'never connected': { never_connected: true },
  'sold, never connected in 3 days': { never_connected: true, sold_for: 3, status: ['active'] },
  'active, by username': { status: ['active'], sort: 'username' },
};

describe(`with ${LINES} lines`, () => {
  let plans: Plans;
  let leaf: Scope;
  const all: Scope = { account_id: seededAccount(1), sees_all: true };

  beforeAll(async () => {
    plans = await openPlans(async (db) => {
      await seed(db, { accounts: ACCOUNTS, lines: LINES });
      await seedPresence(db);
      await sql`update server_presence set read_at = now() - interval '1 hour'
        where server_id = (select server_id from server_presence limit 1)`.execute(db);
    });
    const { rows } = await plans.pool.query(`
      select owner_id, count(*) from users
      where not exists (select from auth_users where auth_users.owner_id = users.owner_id)
      group by owner_id order by count(*) desc limit 1`);
    leaf = { account_id: rows[0].owner_id, sees_all: false };
    expect(rows[0].count).toBeGreaterThan(50);
  });
  afterAll(() => plans?.close());

  /** Number of rows that each statement of a list reads. */
  async function touched(scope: Scope, query: Query): Promise<number[]> {
    const rows = await plans.touched(() =>
      listLines(plans.recorder.db, scope, TODAY, { limit: 50, sort: '-added_date', ...query }),
    );
    // The rows of the page. If there are further pages, the version, running changes and the total
    // follow. Lines that were never online are a separate list after the others.
    const isOfTwo = query.sort?.endsWith('last_seen') ?? false;
    expect(rows.length).toBeLessThanOrEqual((query.cursor ? 1 : 4) + (isOfTwo ? 1 : 0));
    return rows;
  }

  test.each(Object.entries(pages))(
    'an account with nobody below it does not pass by the lines of others: %s',
    async (_, query) => {
      const rows = await touched(leaf, query);
      expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS);
    },
  );

  test.each(Object.entries(pages))(
    'who sees all lines is not shown a page by reading them all: %s',
    async (_, query) => {
      const [page] = await touched(all, query);
      expect(page).toBeLessThanOrEqual(MOST_ROWS);
    },
  );

  test('a further page of all lines keeps its plan, whatever the page', async () => {
    const { db, close } = await connectPostgres(plans.url);
    const plansMade = await db.transaction().execute(async (tx) => {
      for (let days = 0; days < 20; days++) {
        const after = cursor('-added_date', addDays(TODAY, -days));
        await listLines(tx, all, TODAY, { limit: 50, sort: '-added_date', cursor: after });
      }
      const { rows } = await sql<{ made: number }>`
        select custom_plans::integer as made from pg_prepared_statements
        where position('line_presence' in statement) > 0`.execute(tx);
      return rows.map(({ made }) => made);
    });
    await close();
    // PostgreSQL plans the first five executions for their values, and compares the costs.
    expect(plansMade).toEqual([5]);
  });

  test('several rare statuses are found in their index, whatever else there is', async () => {
    const status = ['inactive', 'suspended'] as const;
    const { rows } = await plans.pool.query(
      'select count(*) from users where status_label = any($1)',
      [status],
    );
    for (const scope of [leaf, all]) {
      const [page] = await touched(scope, { status: [...status] });
      // The rows of lines with either status, or the newest lines until a page is full, whichever PostgreSQL considers
      // cheaper; and for the rows of the page, their owners and their presence.
      const inOrder = (1.2 * 51 * LINES) / rows[0].count;
      const found = Math.max(rows[0].count, inOrder);
      expect(page).toBeLessThanOrEqual(found + ACCOUNTS + 3 * 51);
    }
  });

  test('a total is counted to its limit and not beyond it', async () => {
    const [, count] = await touched(all, { is_trial: false });
    expect(count).toBeGreaterThan(10_000);
    expect(count).toBeLessThanOrEqual(10_500);
    // The first count in a process reads up to twice the maximum.
    const another = openRecorder(plans.url);
    const statements = await another.record(() =>
      listLines(another.db, all, TODAY, { limit: 50, sort: '-added_date' }),
    );
    await another.close();
    const counting = statements.at(-1);
    expect(counting && (await rowsTouched(plans.pool, counting))).toBe(20_001);
  });

  test('the counts of the views end at 10,000', async () => {
    const views = await countLines(plans.recorder.db, all, TODAY);
    expect(views).toMatchObject({ all: 10_000, active: 10_000 });
    const { rows } = await plans.pool.query('select count(*) from users where is_trial');
    expect(views.trials).toBe(rows[0].count);
    const counted = await plans.touched(() => countLines(plans.recorder.db, leaf, TODAY));
    expect(Math.max(...counted)).toBeLessThanOrEqual(MOST_ROWS);
  });

  test('the counts of the views of an account with others below it read no lines of others', async () => {
    const trees = await plans.pool.query(`
      select ancestor_id, count(*) as own, count(distinct account_id) as accounts
        from account_tree join users on owner_id = account_id
        group by 1 having count(*) < ${LINES / 10} order by count(*) desc limit 1`);
    const { ancestor_id, own, accounts } = trees.rows[0];
    expect(accounts).toBeGreaterThan(10);
    const { rows } = await plans.pool.query(`select
      (select count(*) from line_presence) as seen,
      (select count(*) from users where not has_connected) as never`);
    const reseller = { account_id: ancestor_id, sees_all: false };
    const [together = 0, few = 0] = await plans.touched(() =>
      countLines(plans.recorder.db, reseller, TODAY),
    );
    const [{ seen, never }] = rows;
    // Lines that are online are read by their index or, in a small table like this one, with all
    // lines that were online.
    expect(together).toBeLessThanOrEqual(own + accounts + seen + MOST_ROWS);
    // The few lines of the other views may be found among the lines of all accounts.
    expect(few).toBeLessThanOrEqual(4 * accounts + never + 2 * MOST_ROWS);

    // The same is true for an account with more lines than are counted.
    const { db } = plans.recorder;
    for (const scope of [reseller, { account_id: seededAccount(2), sees_all: false }, leaf]) {
      const sets = Object.entries(lineSets(db, scope, TODAY));
      const alone = db.selectNoFrom(sets.map(([name, lines]) => countUpTo(10_000, lines).as(name)));
      expect(await countLines(db, scope, TODAY)).toMatchObject(
        (await alone.executeTakeFirst()) ?? {},
      );
    }
  });

  describe('of which there are millions, as PostgreSQL believes', () => {
    let recorder: Recorder;
    beforeAll(async () => {
      // Another process is needed, because a process remembers the size of a table for a while.
      recorder = openRecorder(plans.url);
      await plans.pool.query(
        `update pg_class set reltuples = 10000000 where oid = 'users'::regclass`,
      );
    });
    afterAll(async () => {
      await recorder?.close();
      await plans?.pool.query('analyze users');
    });

    /** Words that few lines have, but that PostgreSQL expects in a hundredth of all lines. */
    async function mistakenWords(): Promise<string[]> {
      const { rows } = await plans.pool.query(`
        select substring(bound from 'client (.{8})') as word
        from pg_stats, unnest(histogram_bounds::text::text[]) as bound
        where tablename = 'users' and attname = 'search' and bound like '%client%' limit 5`);
      return rows.map(({ word }) => word);
    }

    test('a word of few lines is found in the index, though it is taken for a common one', async () => {
      const words = await mistakenWords();
      expect(words).toHaveLength(5);
      for (const q of words) {
        const statements = await recorder.record(() =>
          listLines(recorder.db, all, TODAY, { limit: 50, sort: '-added_date', q }),
        );
        const page = statements.at(-1);
        expect(page && (await rowsTouched(plans.pool, page))).toBeLessThanOrEqual(MOST_ROWS);
      }
    });

    test.each(['added_date', '-expiry_date', 'username'])(
      'the lines with a rare or a common word are the same by %s, page for page',
      async (sort) => {
        for (const q of [...(await mistakenWords()), 'client', 'box']) {
          const found: string[] = [];
          let cursor: string | undefined;
          for (let page = 0; page < 3; page++) {
            const query = { limit: 40, sort, q, cursor };
            const { items, next_cursor } = await listLines(recorder.db, all, TODAY, query);
            found.push(...items.map(({ id }) => id));
            cursor = next_cursor ?? undefined;
            if (cursor === undefined) break;
          }
          const [column, direction] = [
            sort.replace('-', ''),
            sort.startsWith('-') ? 'desc' : 'asc',
          ];
          const { rows } = await plans.pool.query(
            `select id from users where search like '%' || $1 || '%'
             order by ${column} ${direction}, id ${direction} limit 120`,
            [q],
          );
          expect(found).toEqual(rows.map(({ id }) => id));
        }
      },
    );
  });
});

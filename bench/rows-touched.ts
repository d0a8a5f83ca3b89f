import pg from 'pg';
import { listLines } from '../apps/server/src/features/lines/list/store.ts';
import {
  openRecorder,
  type Recorder,
  rowsTouched,
  type Statement,
} from '../apps/server/src/testing/database/statements.ts';
import { seededAccount } from '../apps/server/src/testing/seed/lines.ts';
import type { Fixture } from './fixture.ts';

type LinesQuery = Partial<Parameters<typeof listLines>[3]>;

const queries: Record<string, LinesQuery> = {
  'newest first': {},
  'by expiry date': { sort: 'expiry_date' },
  'by username': { sort: 'username' },
  'a word of few lines': { q: '{word}' },
  'a word of a third of all lines': { q: 'client' },
  'status active': { status: ['active'] },
  'status expired': { status: ['expired'] },
  'status suspended': { status: ['suspended'] },
  trials: { is_trial: true },
  'expiring within 7 days': { expires_within: 7 },
  'expired more than 30 days ago': { expired_for: 30 },
  'refused by the server': { sync_state: ['failed'] },
};

/** Rows that the page and the count take up, the more of both, for one fixture after the other. */
export interface Touched {
  query: string;
  account: string;
  page: number[];
  count: number[];
}

export async function countRowsTouched(fixtures: Fixture[]): Promise<Touched[]> {
  const touched: Touched[] = [];
  const accounts = ['a seller', 'an administrator'];
  for (const account of accounts) {
    for (const query of Object.keys(queries)) touched.push({ query, account, page: [], count: [] });
  }
  for (const fixture of fixtures) {
    const recorder = openRecorder(fixture.databaseUrl);
    const pool = new pg.Pool({ connectionString: fixture.databaseUrl });
    const leaf = await fullestLeaf(pool);
    for (const row of touched) {
      const isAdmin = row.account === 'an administrator';
      const query = { ...queries[row.query] };
      if (query.q === '{word}') query.q = fixture.words[0];
      const [page, ...others] = await recordList(
        recorder,
        isAdmin ? seededAccount(1) : leaf,
        isAdmin,
        query,
      );
      if (!page) throw new Error('A page is read by no statement.');
      row.page.push(await rowsTouched(pool, page));
      // undefined if the list ends with its first page.
      const count = others.at(-1);
      row.count.push(count ? await rowsTouched(pool, count) : 0);
    }
    await recorder.close();
    await pool.end();
  }
  return touched;
}

function recordList(
  { db, record }: Recorder,
  account_id: string,
  sees_all: boolean,
  query: LinesQuery,
): Promise<Statement[]> {
  const today = new Date().toISOString().slice(0, 10);
  const scope = { account_id, sees_all };
  return record(() => listLines(db, scope, today, { limit: 50, sort: '-added_date', ...query }));
}

/** The account with the most lines among those without accounts below. */
async function fullestLeaf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`
    select owner_id from users
    where not exists (select from auth_users where auth_users.owner_id = users.owner_id)
    group by owner_id order by count(*) desc, owner_id limit 1`);
  return rows[0].owner_id;
}

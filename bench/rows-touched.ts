import pg from 'pg';
import { seededAccount } from '../apps/server/src/testing/seed.ts';
import { openRecorder, rowsTouched } from '../apps/server/src/testing/statements.ts';
import type { Shop } from './shop.ts';
import { type LinesQuery, recordList } from './statements.ts';

const queries: Record<string, LinesQuery> = {
  'newest first': {},
  'by expiry date': { sort: 'expiry_date' },
  'by username': { sort: 'username' },
  'a word of few lines': { q: '{word}' },
  'a word of a third of all lines': { q: 'client' },
  'status active': { status: 'active' },
  'status expired': { status: 'expired' },
  'status suspended': { status: 'suspended' },
  trials: { is_trial: true },
  'expiring within 7 days': { expires_within: 7 },
  'refused by the server': { sync_state: 'failed' },
};

/** Rows that the page and the count take up, the more of both, for one shop after the other. */
export interface Touched {
  query: string;
  account: string;
  page: number[];
  count: number[];
}

export async function countRowsTouched(shops: Shop[]): Promise<Touched[]> {
  const touched: Touched[] = [];
  const accounts = ['a leaf', 'an administrator'];
  for (const account of accounts) {
    for (const query of Object.keys(queries)) touched.push({ query, account, page: [], count: [] });
  }
  for (const shop of shops) {
    const recorder = openRecorder(shop.databaseUrl);
    const pool = new pg.Pool({ connectionString: shop.databaseUrl });
    const leaf = await fullestLeaf(pool);
    for (const row of touched) {
      const isAdmin = row.account === 'an administrator';
      const query = { ...queries[row.query] };
      if (query.q === '{word}') query.q = shop.words[0];
      const [page, count] = await recordList(
        recorder,
        isAdmin ? seededAccount(1) : leaf,
        isAdmin,
        query,
      );
      if (!page || !count) throw new Error('A page is read by two statements no more.');
      row.page.push(await rowsTouched(pool, page));
      row.count.push(await rowsTouched(pool, count));
    }
    await recorder.close();
    await pool.end();
  }
  return touched;
}

/** The account without anybody below it that has the most lines. */
async function fullestLeaf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`
    select owner_id from users
    where not exists (select from auth_users where auth_users.owner_id = users.owner_id)
    group by owner_id order by count(*) desc, owner_id limit 1`);
  return rows[0].owner_id;
}

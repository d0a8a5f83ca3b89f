import { SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import { expiresWithin } from '../../domain/lines/line-filters.ts';

/** So many accounts are looked at, those with most lines first. */
const MOST_ACCOUNTS = 200;
const NAMED = 3;

/**
 * Accounts without credits that have lines to renew soon. Those below a reseller are the reseller's to supply. Counted are
 * the first of them only, so the cost does not grow with the number of accounts.
 */
export async function readOutOfCredits(db: Db, today: Day) {
  const { rows } = await sql<{ account_id: string; name: string; lines: number; total: number }>`
    with empty as (
      select auth_users.id, ${accountName('auth_users')} as name
        from account_figures join auth_users on auth_users.id = account_figures.account_id
          left join auth_users owner on owner.id = auth_users.owner_id
        where line_count > 0 and auth_users.credits = 0
          and not auth_users.is_admin and not auth_users.banned
          and (owner.id is null or owner.is_admin)
        order by line_count desc limit ${sql.lit(MOST_ACCOUNTS)})
    select empty.id as account_id, name, due.lines, count(*) over ()::integer as total
      from empty, lateral (
        select count(*)::integer as lines from users
          where users.owner_id = empty.id and ${expiresWithin(today, SOON_DAYS)}) as due
      where due.lines > 0 order by due.lines desc, empty.id limit ${sql.lit(NAMED)}`.execute(db);
  return {
    items: rows.map(({ total: _, ...row }) => row),
    total: rows[0]?.total ?? 0,
  };
}

import type { Limits } from '@linekeeper/contract/accounts/limits.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import { type Selectable, sql } from 'kysely';
import { violates } from '../../db/errors.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { fail, refusal } from '../../platform/errors/refusal.ts';
import type { SignedIn } from '../context/access.ts';

/**
 * The refusal for a row that a trigger of the database refused because of a limit or a plan; the
 * same error for any other.
 */
export function limitRefusal(error: unknown): unknown {
  if (violates(error, 'limit_of_lines')) return refusal('LIMIT_OF_LINES');
  if (violates(error, 'limit_of_accounts')) return refusal('LIMIT_OF_ACCOUNTS');
  if (violates(error, 'server_of_plan')) return refusal('SERVER_NOT_OF_PLAN');
  return error;
}

/** The number of further lines that an account may have; Infinity without a limit. */
export async function readLinesLeft(db: Db, accountId: string, today: Day): Promise<number> {
  const { lines } = await readLimits(db, accountId, today);
  return (lines.bound ?? Number.POSITIVE_INFINITY) - lines.used;
}

/** SQL of the limits that count for an account: its own and those of the accounts above, without administrators. */
export const limitsOf = (accountId: string) => sql`
  account_limits held
    join account_tree way on way.ancestor_id = held.account_id
    join auth_users holder on holder.id = held.account_id and not holder.is_admin
      and way.account_id = ${accountId}`;

/** Throws DELETING_NOT_ALLOWED if the account, or one above, may not delete lines. */
export async function checkMayDelete(db: Db, { id, is_admin }: SignedIn): Promise<void> {
  if (is_admin) return;
  const { rows } = await sql`
    select from ${limitsOf(id)} where not may_delete limit 1`.execute(db);
  if (rows.length > 0) fail('DELETING_NOT_ALLOWED');
}

/**
 * Lines, accounts below and this month's trials of the account `holder` and all accounts below it. An unused activation
 * code keeps the place of a line.
 */
const usedBy = (holder: string, today: Day) => sql`
  select sum(line_count + (select count(*) from activation_codes
        where seller_id = account_id and used_at is null and refunded_at is null))::integer as lines, count(*)::integer - 1 as accounts,
      (select count(distinct line_id)::integer from trials_made
          join account_tree trying on trying.account_id = trials_made.account_id
        where trying.ancestor_id = ${sql.ref(holder)}
          and coalesce(made_on, made_at::date) >= date_trunc('month', ${today}::date)) as trials
    from account_tree below join account_figures using (account_id)
    where below.ancestor_id = ${sql.ref(holder)}`;

interface Held extends Omit<Selectable<Database['account_limits']>, 'account_id'> {
  is_own: boolean;
  used: { lines: number; accounts: number; trials: number };
}

const least = <T extends number | string>(values: readonly (T | null)[]): T | null =>
  values.reduce(
    (low, value) => (value === null || (low !== null && low <= value) ? low : value),
    null,
  );

/** The ids that all of the lists contain. A list of null contains every id. */
const common = (lists: readonly (string[] | null)[]): string[] | null =>
  lists.reduce(
    (kept, list) => (list && kept ? kept.filter((id) => list.includes(id)) : (list ?? kept)),
    null,
  );

/**
 * The limits of an account, with the part that is used and the limit that applies. An account above
 * with 10 places left leaves the account 10 more than it uses.
 */
export async function readLimits(db: Db, accountId: string, today: Day): Promise<Limits> {
  const { rows } = await sql<Held>`
    select held.account_id = ${accountId} as is_own, held.lines, held.accounts, held.trials, held.max_months,
        held.may_delete, held.plan_ids, held.ends_on::text, to_jsonb(used) as used
      from ${limitsOf(accountId)}
        cross join lateral (${usedBy('held.account_id', today)}) as used`.execute(db);
  const [used] = (
    await sql<Held['used']>`
    select used.* from auth_users account cross join lateral (${usedBy('account.id', today)}) as used
      where account.id = ${accountId}`.execute(db)
  ).rows;
  const own = rows.find(({ is_own }) => is_own);
  const counted = (of: 'lines' | 'accounts' | 'trials') => {
    const uses = used?.[of] ?? 0;
    const left = rows.map((held) => {
      const limit = held[of];
      return limit === null ? null : limit - held.used[of];
    });
    const leastLeft = least(left);
    return {
      limit: own?.[of] ?? null,
      used: uses,
      bound: leastLeft === null ? null : Math.max(0, uses + leastLeft),
    };
  };
  return {
    lines: counted('lines'),
    accounts: counted('accounts'),
    trials: counted('trials'),
    max_months: {
      limit: own?.max_months ?? null,
      bound: least(rows.map(({ max_months }) => max_months)),
    },
    may_delete: {
      limit: own?.may_delete ?? true,
      bound: rows.every(({ may_delete }) => may_delete),
    },
    plan_ids: { limit: own?.plan_ids ?? null, bound: common(rows.map(({ plan_ids }) => plan_ids)) },
    ends_on: { limit: own?.ends_on ?? null, bound: least(rows.map(({ ends_on }) => ends_on)) },
  };
}

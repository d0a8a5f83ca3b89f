import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { isDue, isLost } from '../machines/server-accounts.ts';
import { isKnown } from '../presence/presence.ts';

/** The count stops here, so that the query is cheap for any backlog. */
const COUNTED_TO = 10_000;

/** Outstanding work in the whole database; ages in seconds, 0 if nothing waits. */
export interface Backlog {
  pushes_due: number;
  /** Due pushes that failed at least once. */
  pushes_failing: number;
  pushes_age: number;
  /** Accounts that servers had and lost, and that are not queued again. */
  accounts_missing: number;
  jobs_queued: number;
  jobs_running: number;
  jobs_age: number;
  /** Lines that are online, on servers that report their sessions. */
  lines_online: number;
  /** Servers that used to report their sessions and no longer do. */
  servers_silent: number;
}

const age = (since: string) =>
  sql<number>`greatest(coalesce(extract(epoch from now() - min(${sql.ref(since)})), 0), 0)::float8`;

export async function countBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select * from (
      select count(*) as pushes_due, count(*) filter (where attempts > 0) as pushes_failing,
        ${age('wanted_since')} as pushes_age
      from (
        select attempts, wanted_since from server_accounts where ${isDue}
          order by wanted_since limit ${COUNTED_TO}) as due) as pushes,
    (
      select count(*) as accounts_missing from (
        select from server_accounts where ${isLost} limit ${COUNTED_TO}) as lost) as losses,
    (
      select count(*) filter (where state = 'queued') as jobs_queued,
        count(*) filter (where state = 'running') as jobs_running, ${age('created_at')} as jobs_age
      from (
        select state, created_at from jobs where state in ('queued', 'running')
          order by created_at limit ${COUNTED_TO}) as unfinished) as jobs,
    (
      select coalesce(sum(lines_online) filter (where ${isKnown}), 0)::bigint as lines_online,
          count(*) filter (where not ${isKnown}) as servers_silent
        from server_presence join cccam_servers on cccam_servers.id = server_id
        where cccam_servers.status <> 'inactive' and read_at is not null) as presence`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The backlog could not be counted');
  return row;
}

/** The card servers that lines are sold on, and whether each responds. */
export function readReachability(db: Db) {
  return db
    .selectFrom('cccam_servers')
    .select(['server_name', sql<boolean>`status <> 'error'`.as('is_up')])
    .where('status', '<>', 'inactive')
    .orderBy('server_name')
    .execute();
}

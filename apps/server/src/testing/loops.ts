import type { Day } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import type { Db } from '../db/transaction.ts';
import { checkServer } from '../domain/checks/server-checks.ts';
import type { Services } from '../domain/context/context.ts';
import { runIfDue } from '../platform/jobs/scheduler.ts';
import { scheduledJobs } from '../scheduled-jobs.ts';

// Functions that stop the panel's own loops, or run their work immediately.

/**
 * Disables the minutely checks, for tests that compare the whole database before and after a
 * request. Changes made by requests still affect the servers' rows.
 */
export async function holdChecks(db: Db): Promise<void> {
  await sql`
    create function hold_check() returns trigger language plpgsql as $$
    begin
      -- A generated column is not known yet.
      if to_jsonb(new) - array['next_check_at', 'machine']
          = to_jsonb(old) - array['next_check_at', 'machine'] then
        return null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger hold_check before update of next_check_at on cccam_servers
    for each row execute function hold_check()`.execute(db);
}

/**
 * Prevents attempts of the pushes that are due now, and of those of these names, until `release` is called. This is for
 * tests of the panel's output while pushes wait. Other pushes are delivered as usual.
 */
export async function holdPushes(
  db: Db,
  usernames: readonly string[] = [],
): Promise<{ release(usernames?: string[]): Promise<void> }> {
  await sql`create table held_pushes as
    select server_id, username from server_accounts where revision > synced_revision
    union select id, unnest(${usernames}::text[]) from cccam_servers`.execute(db);
  await sql`
    create function hold_push() returns trigger language plpgsql as $$
    begin
      if exists (select from held_pushes where (server_id, username) = (new.server_id, new.username)) then
        return null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger hold_push before update of claimed_until on server_accounts
    for each row execute function hold_push()`.execute(db);
  return {
    release: async (usernames) => {
      await sql`delete from held_pushes
        where ${usernames ?? null}::text[] is null or username = any (${usernames ?? null}::text[])`.execute(
        db,
      );
    },
  };
}

/** Locks a line until the returned function is called. A job waits for the lock. */
export async function holdLine(db: Db, id: string): Promise<() => Promise<void>> {
  const holding = await db.startTransaction().execute();
  await holding.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
  return () => holding.rollback().execute();
}

/** Number of connections to this PostgreSQL database that wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}

/** Runs the check that each server has once a minute, for the server with this id. */
export async function checkById(services: Services, id: string): Promise<void> {
  const server = await services.db
    .updateTable('cccam_servers')
    // The server counts as claimed, so that the panel's own loop does not check it too.
    .set({ next_check_at: sql`now() + interval '1 minute'` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await checkServer(services, server);
}

/** Runs a job of the panel's schedule if it is due, now or at an hour of a day. Returns the result of the job. */
export async function runScheduled(
  services: Services,
  name: string,
  at?: { day: Day; hour: number },
  stopping = new AbortController().signal,
): Promise<unknown> {
  const job = scheduledJobs(services).find((one) => one.name === name);
  if (!job) throw new Error(`no job ${name}`);
  const zone = services.config.time_zone;
  const now =
    at && sql<Date>`((${at.day}::date + make_interval(hours => ${at.hour})) at time zone ${zone})`;
  return runIfDue(services, job, { stopping }, now);
}

/** Moves the ended run of this hour into the past, so that the next check finds a run that is due. */
export async function makeBackupDue(db: Db): Promise<bigint | undefined> {
  const { numAffectedRows } = await sql`
    with done as (update schedules set done_at = null
      where name = 'backup' and done_at > now() - interval '2 hours' returning name)
    update backup_runs set due_at = due_at - interval '1 day' * (1 + 1000 * random())
      where due_at > now() - interval '2 hours' and state = 'made' and exists (select from done)`.execute(
    db,
  );
  return numAffectedRows;
}

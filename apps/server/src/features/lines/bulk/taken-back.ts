import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { refundAll } from '../../../domain/credits/refund.ts';
import { pushNow } from '../../../domain/delivery/pushes.ts';
import { isDue, isFormer, mayBeThere } from '../../../domain/machines/server-accounts.ts';
import { deadline } from '../../../platform/clock.ts';
import type { LockedLine } from '../change/locked-line.ts';
import type { JobServices } from '../jobs/job-account.ts';
import { type AwaitedRefund, alreadyRefunded, isAwaited } from '../jobs/job-items.ts';
import type { JobRow } from '../jobs/jobs-store.ts';

/** A worker waits as long for card servers before it leaves the job to a later run. */
const WAIT_MS = 6000;
const POLL_MS = 100;
const AT_ONCE = 20;

/**
 * The accounts on card servers by which lines that an undo has just changed or deleted still have what was paid for, by
 * id of their line. `lines` are as they were before.
 */
export async function findAwaited(
  tx: Tx,
  lines: readonly Pick<LockedLine, 'id' | 'server_id' | 'username'>[],
): Promise<Map<string, AwaitedRefund['awaits']>> {
  const named = lines.map(({ id, server_id, username }) => ({ id, server_id, username }));
  const { rows } = await sql<{ line_id: string; accounts: AwaitedRefund['awaits'] }>`
    with line as (select * from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
        as line (id uuid, server_id uuid, username text)),
    account as (
      select line.id as line_id, server_accounts.* from line
        join server_accounts using (server_id, username)
      union select line.id, server_accounts.* from line
        join server_accounts on ${isFormer()} and wanted ->> 'line_id' = line.id::text
      union select line.id, server_accounts.* from line
        join server_accounts on left_password is not null and left_password ->> 'line_id' = line.id::text
          and wanted is null)
    select line_id, jsonb_agg(jsonb_build_object('server_id', server_accounts.server_id,
        'username', server_accounts.username, 'revision', server_accounts.revision)) as accounts
      from account server_accounts
      where ${isDue} and ${mayBeThere}
      group by line_id`.execute(tx);
  return new Map(rows.map(({ line_id, accounts }) => [line_id, accounts]));
}

/** What waits for card servers in a row of an undo. */
interface AwaitingRow {
  position: number;
  input: AwaitedRefund;
}

/**
 * SQL condition: the card server has not taken an awaited change. One whose row is gone, or was made again since, has
 * taken it; one that refused every attempt never had the account.
 */
const isNotTaken = sql<boolean>`exists (
  select from jsonb_to_recordset(input -> 'awaits') as awaited (server_id uuid, username text, revision bigint)
    join server_accounts using (server_id, username)
    where server_accounts.revision >= awaited.revision
      and server_accounts.synced_revision < awaited.revision and ${mayBeThere})`;

/** Refunds up to 20 rows whose accounts are as they were before. False if there are none. */
async function refundSome(db: Db, job: JobRow): Promise<boolean> {
  return transact(db, async (tx) => {
    const { rows } = await sql<AwaitingRow>`
      select position, input from job_items
        where job_id = ${job.id} and state = 'waiting' and ${isAwaited} and not ${isNotTaken}
        order by position limit ${AT_ONCE} for update skip locked`.execute(tx);
    const given = await refundAll(
      tx,
      job,
      rows.flatMap(({ input }) => input.transfer_id ?? []),
    );
    for (const { position, input } of rows) {
      const back = input.transfer_id === null ? 0 : given.get(input.transfer_id);
      const error = back === undefined ? JSON.stringify(alreadyRefunded) : null;
      await sql`
        update job_items set state = 'done', cost = ${-(back ?? 0)}, error = ${error}::jsonb, input = null
          where job_id = ${job.id} and position = ${position}`.execute(tx);
    }
    return rows.length > 0;
  });
}

async function readAwaited(db: Db, jobId: string): Promise<AwaitingRow[]> {
  const { rows } = await sql<AwaitingRow>`
    select position, input from job_items
      where job_id = ${jobId} and state = 'waiting' and ${isAwaited}
      order by position limit ${AT_ONCE}`.execute(db);
  return rows;
}

/**
 * Ends the rows of an undo whose card servers have taken the change, and gives back what is owed for them: nothing is
 * refunded that still works there. Waits for them a while; rows that wait longer are left to a later run.
 */
export async function refundTaken(
  services: JobServices,
  job: JobRow,
  stopping: AbortSignal,
): Promise<void> {
  const { db } = services;
  const time = deadline(WAIT_MS);
  for (let isFirst = true; ; isFirst = false) {
    while (await refundSome(db, job)) stopping.throwIfAborted();
    const waiting = await readAwaited(db, job.id);
    if (waiting.length === 0 || time.isOver()) return;
    if (isFirst) {
      const accounts = waiting.flatMap(({ input }) => input.awaits);
      await Promise.all(
        accounts.map(({ server_id, username }) => pushNow(services, server_id, username)),
      );
    } else await sleep(POLL_MS, undefined, { signal: stopping });
    stopping.throwIfAborted();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import type { Services } from '../../../domain/context/context.ts';
import { refundAll } from '../../../domain/credits/refund.ts';
import { pushNow } from '../../../domain/delivery/pushes.ts';
import { isDue, isFormer, mayBeThere } from '../../../domain/machines/server-accounts.ts';
import { deadline } from '../../../platform/clock.ts';
import type { LockedLine } from '../change/locked-line.ts';
import { type AwaitedRefund, type Outcome, type StoredJob, storeOutcomes } from './job-items.ts';
import { isAwaited } from './job-state.ts';

/** Milliseconds for which a worker waits for card servers before it leaves the job to a later run. */
const WAIT_MS = 6000;
const POLL_MS = 100;
const AT_ONCE = 20;

const alreadyRefunded: JobItemError = { code: 'ALREADY_REFUNDED', data: {}, field: null };

/**
 * The accounts with which lines that an undo has just changed or deleted still work on card
 * servers, by id of their line. `lines` are from before the undo.
 */
export async function findAwaited(
  tx: Tx,
  lines: readonly Pick<LockedLine, 'id' | 'server_id' | 'plan_id' | 'username'>[],
): Promise<Map<string, AwaitedRefund['awaits']>> {
  const named = lines.map(({ id, server_id, plan_id, username }) => {
    return { id, server_id, plan_id, username };
  });
  const { rows } = await sql<{ line_id: string; accounts: AwaitedRefund['awaits'] }>`
    with line as (select * from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
        as line (id uuid, server_id uuid, plan_id uuid, username text)),
    account as (
      select line.id as line_id, server_accounts.* from line
        cross join lateral servers_of(line.server_id, line.plan_id) as at
        join server_accounts on server_accounts.server_id = at and server_accounts.username = line.username
      union select line.id, server_accounts.* from line
        join server_accounts on ${isFormer()} and of_line = line.id
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

/** An item of an undo with the payments to refund. */
interface Owed {
  position: number;
  payments: readonly string[];
}

type Refunded = Pick<Outcome, 'position' | 'state' | 'cost' | 'error'>;

/**
 * Refunds the payments of an undone job's items. Returns an outcome for each position; it has an
 * error if the payment had been refunded before.
 */
export async function giveBack(
  tx: Tx,
  undo: Pick<StoredJob, 'account_id'> & { id: string | null },
  items: readonly Owed[],
): Promise<Map<number, Refunded>> {
  const by = { job_id: undo.id, actor_id: undo.account_id, note: null };
  const refunds = await refundAll(
    tx,
    items.flatMap(({ payments }) => payments),
    by,
  );
  const given = new Map(refunds.map(({ refund_of, amount }) => [refund_of, amount]));
  return new Map(
    items.map(({ position, payments }) => {
      const back = payments.map((id) => given.get(id));
      const cost = -back.reduce<number>((sum, amount = 0) => sum + amount, 0) || 0;
      const error = back.includes(undefined) ? alreadyRefunded : null;
      return [position, { position, state: 'done', cost, error }];
    }),
  );
}

/**
 * SQL condition: the card server has not accepted an awaited change. It has accepted it if the account's row was
 * deleted or created again since; a server that refused every attempt never had the account.
 */
const isNotTaken = sql<boolean>`exists (
  select from jsonb_to_recordset(input -> 'awaits') as awaited (server_id uuid, username text, revision bigint)
    join server_accounts using (server_id, username)
    where server_accounts.revision >= awaited.revision
      and server_accounts.synced_revision < awaited.revision and ${mayBeThere})`;

/** The next items of an undo whose refund is awaited. */
const awaitedItems = (db: Db, jobId: string) =>
  db
    .selectFrom('job_items')
    .select(['position', sql<AwaitedRefund>`input`.as('awaited')])
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .where(isAwaited)
    .orderBy('position')
    .limit(AT_ONCE);

/** Refunds up to 20 items whose accounts are again as they were before the job. Returns false if there are none. */
async function refundSome(db: Db, undo: StoredJob): Promise<boolean> {
  return transact(db, async (tx) => {
    const taken = awaitedItems(tx, undo.id).where(sql<boolean>`not ${isNotTaken}`);
    const items = await taken.forUpdate().skipLocked().execute();
    const owed = items.map(({ position, awaited: { transfer_id } }) => {
      return { position, payments: transfer_id === null ? [] : [transfer_id] };
    });
    const given = await giveBack(tx, undo, owed);
    await storeOutcomes(tx, undo.id, [...given.values()]);
    return items.length > 0;
  });
}

/**
 * Ends the items of an undo whose card servers have accepted the change, and refunds them: nothing is refunded for an
 * account that still works there. Waits for the servers for some seconds; a later run ends the remaining items.
 */
export async function refundTaken(
  services: Services,
  undo: StoredJob,
  stopping: AbortSignal,
): Promise<void> {
  const { db } = services;
  const time = deadline(WAIT_MS);
  for (let isFirst = true; ; isFirst = false) {
    while (await refundSome(db, undo)) stopping.throwIfAborted();
    const waiting = await awaitedItems(db, undo.id).execute();
    if (waiting.length === 0 || time.isOver()) return;
    if (isFirst) {
      const accounts = waiting.flatMap(({ awaited }) => awaited.awaits);
      await Promise.all(
        accounts.map(({ server_id, username }) => pushNow(services, server_id, username)),
      );
    } else await sleep(POLL_MS, undefined, { signal: stopping });
    stopping.throwIfAborted();
  }
}

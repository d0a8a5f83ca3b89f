import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tx } from '../db/transaction.ts';
import { fail } from './refusal.ts';

const KEPT_HOURS = 24;
const WAIT_MS = 10_000;
const POLL_MS = 50;
/** A push ends within 9 s: a request without a reply after this has no process any more. */
const ABANDONED_SECONDS = 11;

/** Names one attempt: the same key means the same attempt, sent again. */
export interface Attempt {
  account_id: string;
  endpoint: string;
  key: string;
  /** Of path parameters and body: the same key with another request is a mistake. */
  body_hash: string;
}

export type Found =
  | { kind: 'none' }
  /** The reply to send again. */
  | { kind: 'replied'; reply: unknown }
  /** Committed, but the process died before it replied: the reply is made from the result. */
  | { kind: 'unanswered'; result: unknown };

/** Thrown inside a transaction whose key another request took first. */
export class KeyTaken extends Error {}

/** Takes the key in the transaction that does the work; rolled back with it, the key is free again. */
export async function takeKey(tx: Tx, attempt: Attempt): Promise<void> {
  const taken = await tx
    .insertInto('idempotency_keys')
    .values({ ...attempt })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'endpoint', 'key'])
        .doUpdateSet({
          body_hash: attempt.body_hash,
          result: null,
          reply: null,
          created_at: sql`now()`,
        })
        .where(
          sql<boolean>`idempotency_keys.created_at < now() - make_interval(hours => ${KEPT_HOURS})`,
        ),
    )
    .returning('key')
    .executeTakeFirst();
  if (!taken) throw new KeyTaken();
}

export async function keepResult(tx: Tx, attempt: Attempt, result: unknown): Promise<void> {
  await update(tx, attempt, { result: JSON.stringify(result ?? null) });
}

export async function keepReply(db: Db, attempt: Attempt, reply: unknown): Promise<void> {
  await update(db, attempt, { reply: JSON.stringify(reply) });
}

export async function freeKey(db: Db, attempt: Attempt): Promise<void> {
  await db.deleteFrom('idempotency_keys').where(isAttempt(attempt)).execute();
}

/**
 * What became of an earlier request with this key. Waits up to 10 s for one that is still running,
 * then throws 409. Throws 422 where the earlier request was another one.
 */
export async function findAttempt(db: Db, attempt: Attempt): Promise<Found> {
  const endsAt = Date.now() + WAIT_MS;
  for (;;) {
    const row = await db
      .selectFrom('idempotency_keys')
      .select(['body_hash', 'result', 'reply'])
      .select(
        sql<boolean>`created_at < now() - make_interval(secs => ${ABANDONED_SECONDS})`.as(
          'is_abandoned',
        ),
      )
      .where(isAttempt(attempt))
      .where(sql<boolean>`created_at > now() - make_interval(hours => ${KEPT_HOURS})`)
      .executeTakeFirst();
    if (!row) return { kind: 'none' };
    if (row.body_hash !== attempt.body_hash) fail('IDEMPOTENCY_KEY_REUSED');
    if (row.reply !== null) return { kind: 'replied', reply: row.reply };
    if (row.is_abandoned) return { kind: 'unanswered', result: row.result };
    if (Date.now() >= endsAt) fail('REQUEST_IN_PROGRESS');
    await sleep(POLL_MS);
  }
}

export async function deleteOldKeys(db: Db): Promise<void> {
  await sql`delete from idempotency_keys
    where created_at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(db);
}

function isAttempt({ account_id, endpoint, key }: Attempt) {
  return sql<boolean>`account_id = ${account_id} and endpoint = ${endpoint} and key = ${key}`;
}

async function update(
  db: Db,
  attempt: Attempt,
  values: { result: string } | { reply: string },
): Promise<void> {
  await db.updateTable('idempotency_keys').set(values).where(isAttempt(attempt)).execute();
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import { violates } from '../../db/errors.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { deadline, secondsAgo } from '../../platform/clock.ts';
import { fail } from '../../platform/errors/refusal.ts';
import {
  type AuthorizationRefusals,
  authorizedActor,
  type CurrentPermissions,
  selectCurrentPermissions,
} from '../accounts/authorization.ts';
import { insertingEntries } from '../audit/audit.ts';
import type { SignedIn } from '../context/access.ts';

const KEPT_HOURS = 24;
const WAIT_MS = 10_000;
const POLL_MS = 50;
/** A push ends within 9 s, so the process of a request without a reply after this time has died. */
const ABANDONED_SECONDS = 11;

/** A request with a key. A second request with the same key is a repetition. */
export interface IdempotentRequest {
  account_id: string;
  endpoint: string;
  key: string;
  /** Hash of path parameters and body; the same key with a different hash is an error. */
  body_hash: string;
}

/**
 * The outcome of an earlier request: the reply to send again; or the result of a process that died
 * after the commit and before the reply, which is built from it.
 */
type EarlierOutcome = { reply: unknown; result: unknown } | { result: unknown };

/** The error for a key that another request has stored first; thrown inside the transaction. */
export class KeyTaken extends Error {}

/** SQL condition on a row of `idempotency_keys`: it has expired. */
const isOver = sql<boolean>`idempotency_keys.created_at < now() - make_interval(hours => ${sql.lit(KEPT_HOURS)})`;

const requestColumns = ['account_id', 'endpoint', 'key', 'body_hash'] as const;

/**
 * Inserts the key, and reads its account's permissions; no row if the account was deleted, no key if it exists already.
 */
const insertKey = compiledQuery(
  requestColumns,
  (_, { account_id, endpoint, key, body_hash }) => sql<CurrentPermissions & { key: string | null }>`
    with held as materialized (${selectCurrentPermissions(account_id)}),
    inserted as (
      insert into idempotency_keys (account_id, endpoint, key, body_hash)
        select ${account_id}::uuid, ${endpoint}, ${key}, ${body_hash} from held
        on conflict (account_id, endpoint, key) do update
          set body_hash = excluded.body_hash, result = null, reply = null, created_at = now()
          where ${isOver}
        returning key)
    select held.*, inserted.key from held left join inserted on true`,
);

const updateReply = compiledQuery([...requestColumns, 'json'], (db, { json, ...asked }) =>
  db.updateTable('idempotency_keys').set({ reply: json }).where(hasSameKey(asked)),
);
/** Stores the result. The same statement writes the audit entries, because nearly every change has some. */
const updateResult = compiledQuery(
  [...requestColumns, 'json', 'entries'],
  (_, { json, entries, ...asked }) => sql`with written as (${insertingEntries(entries)})
    update idempotency_keys set result = ${json} where ${hasSameKey(asked)}`,
);

/**
 * Inserts the key in the transaction of the change, so that a rollback frees it. The same statement returns the acting
 * account with its current permissions, as `lockPermissions` does.
 */
export async function takeKey(
  tx: Tx,
  idempotentRequest: IdempotentRequest,
  actor: SignedIn,
  access: Access,
  refusals: AuthorizationRefusals,
): Promise<SignedIn> {
  const [held] = await insertKey(tx, { ...idempotentRequest }).catch((error: unknown) => {
    // The account was deleted in the meantime.
    if (violates(error, 'idempotency_keys_account_id_fkey')) return [];
    throw error;
  });
  const now = authorizedActor(actor, access, refusals, held);
  if (!held?.key) throw new KeyTaken();
  return now;
}

/** Stores the result of a request under its Idempotency-Key, with its audit entries in the format of `rowsOf`. */
export const keepResult = (
  tx: Tx,
  idempotentRequest: IdempotentRequest,
  result: unknown,
  entries: string,
) => updateResult(tx, { ...idempotentRequest, json: JSON.stringify(result ?? null), entries });

export const keepReply = (db: Db, idempotentRequest: IdempotentRequest, reply: unknown) =>
  updateReply(db, { ...idempotentRequest, json: JSON.stringify(reply) });

export const freeKey = (db: Db, idempotentRequest: IdempotentRequest) =>
  db.deleteFrom('idempotency_keys').where(hasSameKey(idempotentRequest)).execute();

/**
 * Looks for an earlier request with this key; null if there is none. Waits up to 10 s for a running one. Throws
 * REQUEST_IN_PROGRESS after that, and IDEMPOTENCY_KEY_REUSED if the earlier request had different input.
 */
export async function findEarlierOutcome(
  db: Db,
  idempotentRequest: IdempotentRequest,
): Promise<EarlierOutcome | null> {
  const isAbandoned = sql<boolean>`created_at < ${secondsAgo(ABANDONED_SECONDS)}`;
  const time = deadline(WAIT_MS);
  for (;;) {
    const row = await db
      .selectFrom('idempotency_keys')
      .select(['body_hash', 'result', 'reply', isAbandoned.as('is_abandoned')])
      .where(hasSameKey(idempotentRequest))
      .where(sql<boolean>`not ${isOver}`)
      .executeTakeFirst();
    if (!row) return null;
    if (row.body_hash !== idempotentRequest.body_hash) fail('IDEMPOTENCY_KEY_REUSED');
    if (row.reply !== null) return { reply: row.reply, result: row.result };
    if (row.is_abandoned) return { result: row.result };
    if (time.isOver()) fail('REQUEST_IN_PROGRESS');
    await sleep(POLL_MS);
  }
}

export async function deleteOldKeys(db: Db): Promise<void> {
  await db.deleteFrom('idempotency_keys').where(isOver).execute();
}

function hasSameKey({ account_id, endpoint, key }: Omit<IdempotentRequest, 'body_hash'>) {
  return sql<boolean>`account_id = ${account_id} and endpoint = ${endpoint} and key = ${key}`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Sync } from '@linekeeper/contract/lines.ts';
import { type Selectable, sql } from 'kysely';
import type { PushOperation, ServerAccountsTable, ServerRow, WantedAccount } from '../db/schema.ts';
import type { Db, Tx } from '../db/transaction.ts';
import { applyWanted } from './card-server/client.ts';
import { pushMessage } from './card-server/messages.ts';
import type { Services } from './context.ts';
import { isDue, wantedSince } from './server-accounts.ts';

/** A caller is answered within 11 s, the rest of its request included. */
const DEADLINE_MS = 9000;
/** Longer than any attempt: a lease that ran out means its holder died. */
const LEASE_SECONDS = 15;
const POLL_MS = 100;
/** Somebody else's attempt is still waiting for the server when our time is up. */
const NO_ANSWER_YET = { kind: 'unreachable', reason: 'connection timed out' } as const;
const FIRST_RETRY_SECONDS = 2;
const LAST_RETRY_SECONDS = 20;

type PushServices = Pick<Services, 'db' | 'secrets' | 'outbound' | 'log' | 'stopping'>;
type Claim = Selectable<ServerAccountsTable> & { lease: string };

export interface WantedState {
  server_id: string;
  username: string;
  /** null: nothing is to be there. */
  wanted: WantedAccount | null;
  operation: PushOperation;
}

/** The request that made the change tries first; the loop takes what it left. */
const firstTry = sql<Date>`now() + interval '1 second'`;

/** Writes what the server is to hold under a name, in the transaction that sells or changes the line. */
export function wantOnServer(tx: Tx, state: WantedState): Promise<void> {
  return wantAllOnServers(tx, [state]);
}

/** No two of the states may be of one name on one server. */
export async function wantAllOnServers(tx: Tx, states: readonly WantedState[]): Promise<void> {
  await tx
    .insertInto('server_accounts')
    .values(
      states.map((state) => ({
        ...state,
        wanted: state.wanted && JSON.stringify(state.wanted),
        next_try_at: firstTry,
        last_message: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['server_id', 'username']).doUpdateSet({
        wanted: (row) => row.ref('excluded.wanted'),
        operation: (row) => row.ref('excluded.operation'),
        revision: sql`server_accounts.revision + 1`,
        attempts: 0,
        next_try_at: firstTry,
        last_message: null,
        wanted_since: wantedSince,
        updated_at: sql`now()`,
      }),
    )
    .execute();
}

/**
 * Carries out one attempt now, or waits for the one another panel is making. Ends within 10 s and
 * never throws: what is wanted is committed, and the loop goes on trying.
 */
export async function pushNow(
  services: PushServices,
  serverId: string,
  username: string,
): Promise<Sync> {
  try {
    return await tryNow(services, serverId, username);
  } catch (error) {
    services.log.error({ err: error, server_id: serverId }, 'push could not be tried');
    return { ok: false, message: null };
  }
}

async function tryNow(services: PushServices, serverId: string, username: string): Promise<Sync> {
  const { db } = services;
  const endsAt = Date.now() + DEADLINE_MS;
  for (;;) {
    const [claim] = await claimPushes(
      db,
      sql`server_id = ${serverId} and username = ${username}`,
      1,
    );
    if (claim) return attempt(services, claim, Math.max(500, endsAt - Date.now()));
    const state = await db
      .selectFrom('server_accounts')
      .select(['operation', 'last_message', sql<boolean>`${isDue}`.as('is_due')])
      .where('server_id', '=', serverId)
      .where('username', '=', username)
      .executeTakeFirst();
    if (!state?.is_due) return { ok: true, message: null };
    if (Date.now() >= endsAt) {
      const message = state.last_message ?? pushMessage(state.operation, NO_ANSWER_YET);
      return { ok: false, message };
    }
    await sleep(POLL_MS);
  }
}

/** Leases up to `limit` due pushes among those that fit `condition`, for this panel alone. */
export async function claimPushes(
  db: Db,
  condition: ReturnType<typeof sql>,
  limit: number,
): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    update server_accounts
      set claimed_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      where (server_id, username) in (
        select server_id, username from server_accounts
          where ${isDue}
            and (claimed_until is null or claimed_until < now())
            and ${condition}
          order by next_try_at limit ${limit} for update skip locked)
      returning *, claimed_until::text as lease`.execute(db);
  return rows;
}

/**
 * One attempt under a lease; what came of it is written where the lease still holds. What cannot even
 * be tried, such as a password that does not open, must not hold up the others of its server.
 */
export async function attempt(
  services: PushServices,
  claim: Claim,
  deadlineMs = DEADLINE_MS,
): Promise<Sync> {
  try {
    return await deliver(services, claim, deadlineMs);
  } catch (error) {
    services.log.error({ err: error, server_id: claim.server_id }, 'push could not be tried');
    const message = pushMessage(claim.operation, { kind: 'refused', reason: '' });
    await recordFailure(services.db, claim, message);
    return { ok: false, message };
  }
}

async function deliver(services: PushServices, claim: Claim, deadlineMs: number): Promise<Sync> {
  const { db, secrets, outbound, log, stopping } = services;
  const server = await db
    .selectFrom('cccam_servers')
    .select(['id', 'host_ip', 'port', 'api_port', 'api_scheme', 'username', 'password'])
    .where('id', '=', claim.server_id)
    .executeTakeFirst();
  if (!server) return { ok: true, message: null };
  const outcome = await applyWanted(
    { ...outbound, deadlineMs },
    { ...server, password: secrets.open(server.password, server.id) },
    claim.username,
    await readWanted(services, claim, server),
    { onServer: claim.on_server, signal: stopping.signal },
  );
  if (outcome.ok) {
    await recordSuccess(db, claim);
    return { ok: true, message: null };
  }
  const message = pushMessage(claim.operation, outcome);
  await recordFailure(db, claim, message);
  log.warn({ server_id: claim.server_id, attempts: claim.attempts + 1, message }, 'push failed');
  return { ok: false, message };
}

/**
 * The line that is wanted; null where none is. Two servers of the panel may be one machine: a name
 * that is gone from one of them stays there while a line of the other has it.
 */
async function readWanted(
  { db, secrets }: PushServices,
  { server_id, username, wanted }: Claim,
  machine: Pick<ServerRow, 'host_ip' | 'api_port'>,
) {
  const lines = db
    .selectFrom('users')
    .innerJoin('cccam_servers as server', 'server.id', 'users.server_id')
    .select(['users.id', 'users.password', 'users.expiry_date']);
  const line = await (wanted
    ? lines.where('users.id', '=', wanted.line_id)
    : lines
        .where('users.username', '=', username)
        .where('server.id', '<>', server_id)
        .where('server.host_ip', '=', machine.host_ip)
        .where('server.api_port', '=', machine.api_port)
  ).executeTakeFirst();
  if (!line) return null;
  const expiry_date = wanted?.expiry_date ?? line.expiry_date;
  return { password: secrets.open(line.password, line.id), expiry_date };
}

function held(claim: Claim) {
  return sql<boolean>`server_id = ${claim.server_id} and username = ${claim.username}
    and claimed_until = cast(${claim.lease} as timestamptz)`;
}

async function recordSuccess(db: Db, claim: Claim): Promise<void> {
  const on_server = claim.wanted !== null;
  await db
    .updateTable('server_accounts')
    .set({
      synced_revision: claim.revision,
      on_server,
      attempts: 0,
      claimed_until: null,
      last_message: null,
      updated_at: sql`now()`,
    })
    .where(held(claim))
    .execute();
  // Where nothing is wanted and nothing is there, there is nothing to remember.
  if (on_server) return;
  await db
    .deleteFrom('server_accounts')
    .where('server_id', '=', claim.server_id)
    .where('username', '=', claim.username)
    .where('wanted', 'is', null)
    .whereRef('revision', '=', 'synced_revision')
    .execute();
}

async function recordFailure(db: Db, claim: Claim, message: string): Promise<void> {
  const wait = Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** claim.attempts);
  await db
    .updateTable('server_accounts')
    .set({
      attempts: sql`attempts + 1`,
      next_try_at: sql`now() + make_interval(secs => ${wait})`,
      claimed_until: null,
      last_message: message,
      updated_at: sql`now()`,
    })
    .where(held(claim))
    .execute();
}

import type { Day } from '@linekeeper/contract/dates.ts';
import { DELIVERIES_KEPT_DAYS, type WebhookEvent } from '@linekeeper/contract/webhooks.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Services } from '../../domain/context/context.ts';
import { plainText } from '../../domain/machines/card-server/messages.ts';
import { deadline } from '../../platform/clock.ts';
import {
  chosenBy,
  type Reply,
  requestJson,
  targetOf,
  type Unreachable,
} from '../../platform/http-client/request.ts';
import { ClaimLoop, inSeconds, LEASE_SECONDS, underLease } from '../../platform/jobs/claim-loop.ts';
import type { Background } from '../../platform/jobs/poller.ts';
import { signedHeaders } from './sign.ts';

/** The channel on which the database notifies that deliveries are queued. */
const CHANNEL = 'linekeeper_webhook';
/** Accounts for which one panel delivers at the same time, so that a slow address delays only its own account. */
const ACCOUNTS_AT_A_TIME = 8;
/** Milliseconds after which an account with more to deliver lets others go first. */
const TURN_MS = 30_000;
const [MINUTE, HOUR] = [60, 3600];
/** Seconds before each retry, a day in total. */
const RETRIES = [5, MINUTE, 5 * MINUTE, HOUR / 2, 2 * HOUR, 4 * HOUR, 6 * HOUR, 6 * HOUR, 6 * HOUR];
export const LAST_RETRY_SECONDS = Math.max(...RETRIES);
/** Characters of a response that are kept. */
const RESPONSE_KEPT = 500;
/** Days after its last one in which the expiry of a line is still reported, if the panel was down. */
const EXPIRY_DAYS = 7;

interface Claim {
  id: string;
  webhook_id: string;
  url: string;
  secret: string;
  /** True if the webhook is an administrator's. */
  is_admin: boolean;
  /** The secret before the last rotation; null once it is no longer valid. */
  old_secret: string | null;
  event: WebhookEvent;
  data: Record<string, unknown>;
  created_at: Date;
  /** Number of attempts before this one. One in which a panel died is not counted, so that it uses up no retry. */
  attempts: number;
}

/** Claims the delivery of an account that has been due longest; null if none is due. */
async function claimDelivery(db: Db, accountId: string): Promise<Claim | null> {
  const { rows } = await sql<Claim>`
    update webhook_deliveries as delivery
      set next_try_at = ${inSeconds(LEASE_SECONDS)}
      from webhooks join auth_users on auth_users.id = account_id
      where webhooks.id = webhook_id and delivery.id = (
        select due.id from webhook_deliveries as due join webhooks on webhooks.id = due.webhook_id
          where next_try_at <= now() and account_id = ${accountId}
          order by next_try_at limit 1 for update of due skip locked)
      returning delivery.id, webhook_id, url, secret, is_admin, event, data, delivery.created_at, attempts,
        case when old_secret_until > now() then old_secret end as old_secret`.execute(db);
  return rows[0] ?? null;
}

type LoopServices = Pick<Services, 'connection' | 'db' | 'secrets' | 'outbound' | 'log'>;

/** Sends a delivery, signed for this moment: a receiver refuses old timestamps. */
function send(
  { secrets, outbound }: LoopServices,
  { id, webhook_id, url, is_admin, event, data, created_at, ...sealed }: Claim,
  stopping: AbortSignal,
): Promise<Reply | Unreachable> {
  const valid = [sealed.secret, sealed.old_secret].filter((secret) => secret !== null);
  const body = { type: event, timestamp: created_at.toISOString(), data };
  const headers = signedHeaders(
    valid.map((secret) => secrets.open(secret, webhook_id)),
    { id: `msg_${id}`, timestamp: Math.floor(Date.now() / 1000), body: JSON.stringify(body) },
  );
  const request = { ...targetOf(url), method: 'POST', headers, body } as const;
  return requestJson(chosenBy(outbound, { is_admin }), request, stopping);
}

/** Sends a delivery that is leased to this panel, and stores the result. If it fails, it becomes due again. */
async function deliver(services: LoopServices, claim: Claim, stopping: AbortSignal): Promise<void> {
  const { db } = services;
  const change = (values: object) =>
    db.updateTable('webhook_deliveries').set(values).where('id', '=', claim.id).execute();
  const attempts = claim.attempts + 1;
  const wait = RETRIES[claim.attempts];
  const retried = { attempts, next_try_at: wait === undefined ? null : inSeconds(wait) };
  const began = performance.now();
  try {
    await underLease(
      () => change({ next_try_at: inSeconds(LEASE_SECONDS) }),
      async () => {
        const result = await send(services, claim, stopping);
        if (stopping.aborted) return change({ next_try_at: inSeconds(0) });
        const [status, text] =
          result.kind === 'reply' ? [result.status, result.text] : [null, null];
        const isTaken = status !== null && status >= 200 && status < 300;
        return change({
          ...(isTaken ? { attempts, delivered_at: sql`now()`, next_try_at: null } : retried),
          tried_at: sql`now()`,
          response_code: status,
          response: (text && plainText(text, RESPONSE_KEPT)) || null,
          reason: result.kind === 'unreachable' ? result.reason : null,
          ms: Math.round(performance.now() - began),
        });
      },
    );
  } catch (error) {
    await change(retried);
    throw error;
  }
}

/** Delivers the due events of an account, one after the other, until its turn is over. */
async function serve(
  services: LoopServices,
  accountId: string,
  stopping: AbortSignal,
): Promise<void> {
  const turn = deadline(TURN_MS);
  while (!stopping.aborted && !turn.isOver() && !services.connection.isDiskLow()) {
    const claim = await claimDelivery(services.db, accountId);
    if (!claim) return;
    await deliver(services, claim, stopping);
  }
}

/** Sends events to webhooks as soon as the transaction that caused them has committed, on any panel. */
export function webhookLoop(services: LoopServices): Background {
  const { connection, db, log } = services;
  const loop = new ClaimLoop<{ account_id: string }>(
    {
      name: 'webhooks',
      every_ms: 2000,
      at_a_time: ACCOUNTS_AT_A_TIME,
      claim: async (limit, running) => {
        if (connection.isDiskLow()) return [];
        const served = running.map(({ account_id }) => account_id);
        const { rows } = await sql<{ account_id: string }>`
          select account_id from webhook_deliveries
              join webhooks on webhooks.id = webhook_id
              join auth_users on auth_users.id = account_id
            where next_try_at <= now() and not banned and account_id <> all(${served}::uuid[])
            group by account_id order by min(next_try_at) limit ${limit}`.execute(db);
        return rows;
      },
      work: ({ account_id }, stopping) => serve(services, account_id, stopping),
      about: ({ account_id }) => ({ account_id }),
    },
    log,
  );
  return { start: () => loop.startOn(connection, CHANNEL), stop: () => loop.stop() };
}

/** Queues `line.expired`, once for each line and expiry date, from the day after it. */
export async function queueExpired(db: Db, today: Day, time_zone: string): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, event, data, said_once)
      select webhook.id, 'line.expired', webhook_line(users), users.id || ' ' || expiry_date
        from users cross join lateral webhooks_for('line.expired', array[owner_id]) as webhook
        where exists (select from webhooks) and expiry_date < ${today}::date
          and expiry_date >= greatest(${today}::date - ${EXPIRY_DAYS}::integer,
            (webhook.created_at at time zone ${time_zone})::date)
      on conflict do nothing`.execute(db);
}

export async function deleteOldDeliveries(db: Db): Promise<void> {
  await sql`delete from webhook_deliveries
    where created_at < now() - make_interval(days => ${DELIVERIES_KEPT_DAYS})`.execute(db);
}

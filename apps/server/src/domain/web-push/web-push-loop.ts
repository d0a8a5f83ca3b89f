import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { chosenBy, requestJson, targetOf } from '../../platform/http-client/request.ts';
import { ClaimLoop, inSeconds, LEASE_SECONDS, sendLeased } from '../../platform/jobs/claim-loop.ts';
import type { Background } from '../../platform/jobs/poller.ts';
import { consumeLimit, limitOf } from '../../platform/rate-limit.ts';
import type { Services } from '../context/context.ts';
import { encryptedRequest, type Subscription } from './web-push-keys.ts';

/** The channel on which the database notifies that pushes are queued. */
const CHANNEL = 'linekeeper_web_push';
const EVERY_MS = 5000;
/** Pushes that one panel sends at the same time, and the milliseconds in which a push service must answer. */
const AT_A_TIME = 8;
const DEADLINE_MS = 5000;
/** The longest pause between two attempts in seconds. With these attempts, a push is tried for about two hours. */
export const LAST_RETRY_SECONDS = 1800;
const MOST_ATTEMPTS = 13;
/** Seconds for which a push service keeps a message for a device that is off. */
const KEPT_SECONDS = 24 * 3600;
/** Statuses by which a push service says that the browser has ended its subscription. */
const ENDED = [404, 410];

/** Pushes per browser. More are dropped: the notifications are in the panel. */
const pushesLimit = limitOf('web-push', 60, 3600);

interface ClaimedPush {
  notification_id: string;
  subscription_id: string;
  account_id: string;
  sealed: string;
  title: string;
  link: string | null;
  /** Number of attempts, including this one. */
  attempts: number;
}

type LoopServices = Pick<Services, 'connection' | 'db' | 'auth' | 'secrets' | 'outbound' | 'log'>;

/** Claims the push that has been due longest, of the accounts that meet the condition; null if none is due. */
async function claimPush(db: Db, isOfThese: RawBuilder<boolean>): Promise<ClaimedPush | null> {
  const { rows } = await sql<ClaimedPush>`
    with due as (
      select notification_id, subscription_id, subscription.account_id, sealed, title, link
        from web_pushes
          join push_subscriptions as subscription on subscription.id = subscription_id
          join notifications on notifications.id = notification_id
        where next_try_at <= now() and subscription.account_id ${isOfThese}
        order by next_try_at limit 1 for update of web_pushes skip locked)
    update web_pushes set attempts = attempts + 1, next_try_at = ${inSeconds(LEASE_SECONDS)}
      from due
      where web_pushes.notification_id = due.notification_id
        and web_pushes.subscription_id = due.subscription_id
      returning due.*, attempts`.execute(db);
  return rows[0] ?? null;
}

/** Claims up to `limit` pushes, each of another account, so that a slow push service delays only its own accounts. */
async function claimPushes(
  { connection, db }: LoopServices,
  limit: number,
  running: readonly ClaimedPush[],
): Promise<ClaimedPush[]> {
  const claims: ClaimedPush[] = [];
  while (claims.length < limit && !connection.isDiskLow()) {
    const busy = [...running, ...claims].map(({ account_id }) => account_id);
    const claim = await claimPush(db, sql`<> all (${busy}::uuid[])`);
    if (!claim) break;
    claims.push(claim);
  }
  return claims;
}

/** Sends a push. Returns the status with which the push service answered; throws if it did not answer. */
async function send(services: LoopServices, claimed: ClaimedPush, stopping: AbortSignal) {
  const { notification_id, subscription_id, sealed, title, link } = claimed;
  const opened = services.secrets.open(sealed, subscription_id);
  const subscription = JSON.parse(opened) as Subscription;
  const message = { id: notification_id, title, link: link ?? '/' };
  // A repeated message replaces the one before, at the push service by its topic, on the device by its id.
  const topic = notification_id.replaceAll('-', '');
  const options = { TTL: KEPT_SECONDS, topic, urgency: 'high' } as const;
  const reply = await requestJson(
    { ...chosenBy(services.outbound, { is_admin: false }), deadlineMs: DEADLINE_MS },
    {
      ...targetOf(subscription.endpoint),
      method: 'POST',
      ...(await encryptedRequest(services, subscription, message, options)),
    },
    stopping,
  );
  if (reply.kind === 'unreachable') throw new Error(`Push service: ${reply.reason}`);
  return reply.status;
}

async function deliver(services: LoopServices, claimed: ClaimedPush, stopping: AbortSignal) {
  const { db, log } = services;
  const { notification_id, subscription_id, account_id, attempts } = claimed;
  const own = { notification_id, subscription_id };
  const tryIn = (seconds: number) =>
    db
      .updateTable('web_pushes')
      .set({ next_try_at: inSeconds(seconds) })
      .where(matches(own))
      .execute();
  const remove = () => db.deleteFrom('web_pushes').where(matches(own)).execute();
  if (attempts === 1 && (await consumeLimit(db, pushesLimit, subscription_id)) > 0) {
    log.warn({ account_id }, 'push not sent: its browser was sent enough in this hour');
    await remove();
    return;
  }
  const retries = { most_attempts: MOST_ATTEMPTS, longest_pause: LAST_RETRY_SECONDS };
  await sendLeased({ attempts, tryIn, remove }, retries, async () => {
    const status = await send(services, claimed, stopping);
    if (ENDED.includes(status)) {
      await db.deleteFrom('push_subscriptions').where('id', '=', subscription_id).execute();
    } else if (status >= 300) throw new Error(`Push service: status ${status}`);
  });
}

/** Sends a push, and then the other pushes that are due to the same account. */
async function serve(services: LoopServices, first: ClaimedPush, stopping: AbortSignal) {
  let next: ClaimedPush | null = first;
  while (next && !stopping.aborted) {
    await deliver(services, next, stopping);
    next = await claimPush(services.db, sql`= ${first.account_id}`);
  }
}

/** SQL condition: the row of this push. */
const matches = (own: Pick<ClaimedPush, 'notification_id' | 'subscription_id'>) =>
  sql<boolean>`notification_id = ${own.notification_id} and subscription_id = ${own.subscription_id}`;

/** Sends queued pushes as soon as the transaction that queued them has committed, on any panel. */
export function webPushLoop(services: LoopServices): Background {
  const loop = new ClaimLoop<ClaimedPush>(
    {
      name: 'web push',
      every_ms: EVERY_MS,
      at_a_time: AT_A_TIME,
      claim: (limit, running) => claimPushes(services, limit, running),
      work: (claim, stopping) => serve(services, claim, stopping),
      about: ({ account_id }) => ({ account_id }),
    },
    services.log,
  );
  return { start: () => loop.startOn(services.connection, CHANNEL), stop: () => loop.stop() };
}

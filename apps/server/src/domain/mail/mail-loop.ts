import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { ClaimLoop, inSeconds, LEASE_SECONDS, sendLeased } from '../../platform/jobs/claim-loop.ts';
import type { Background } from '../../platform/jobs/poller.ts';
import { consumeLimit, isWindowOver, limitOf } from '../../platform/rate-limit.ts';
import type { Services } from '../context/context.ts';
import type { QueuedMail } from '../notices/outbox.ts';
import { sendQueuedMail } from './send-mail.ts';

/** The channel on which the database notifies that emails are in the outbox. */
const CHANNEL = 'linekeeper_mail';
/** Emails that one panel sends at the same time. */
const AT_A_TIME = 2;
/** Notices in one email, at most. */
const GATHERED_AT_MOST = 100;
/** The longest pause between two attempts in seconds. With these attempts, an email is tried for about a day. */
export const LAST_RETRY_SECONDS = 3600;
const MOST_ATTEMPTS = 35;

/** The limit per account for emails about texts of other people. Further texts wait, and become one email. */
const writtenMailsLimit = limitOf('written-mails', 3, 600);

/**
 * SQL condition: the account got so many emails about notices in the last minutes that further notices wait, to be
 * combined into one email.
 */
const isHeld = sql<boolean>`(is_gathered and attempts = 0 and exists (
  select from rate_limits where scope = ${writtenMailsLimit.scope}
    and subject = mails.account_id and count >= ${writtenMailsLimit.failures}
    and not ${isWindowOver}))`;

interface ClaimedMail {
  key: string;
  account_id: string | null;
  is_gathered: boolean;
  mail: QueuedMail;
  /** Number of attempts, including this one. */
  attempts: number;
}

/** Claims the mail that has been due longest; null if none is due. */
async function claimMail(db: Db): Promise<ClaimedMail | null> {
  const { rows } = await sql<ClaimedMail>`
    update mails set attempts = attempts + 1, next_try_at = ${inSeconds(LEASE_SECONDS)}
      where key = (select key from mails
        where next_try_at <= now() and not ${isHeld}
        order by next_try_at limit 1 for update skip locked)
      returning key, account_id, is_gathered, mail, attempts`.execute(db);
  const [claimed] = rows;
  if (!claimed) return null;
  return claimed.is_gathered && claimed.attempts === 1
    ? transact(db, (tx) => gather(tx, claimed))
    : claimed;
}

/** Adds the other texts for the same account to an email. */
async function gather(tx: Tx, claimed: ClaimedMail): Promise<ClaimedMail> {
  const { key, account_id } = claimed;
  await consumeLimit(tx, writtenMailsLimit, account_id ?? '');
  const { rows: others } = await sql<{ id: string }>`
    delete from mails where key in (select key from mails
        where is_gathered and attempts = 0 and account_id = ${account_id}
        order by next_try_at limit ${GATHERED_AT_MOST - 1} for update skip locked)
      returning mail ->> 'notification_id' as id`.execute(tx);
  if (others.length === 0) return claimed;
  const mail = { ...claimed.mail, more_notification_ids: others.map(({ id }) => id) };
  await sql`update mails set mail = ${JSON.stringify(mail)}::jsonb where key = ${key}`.execute(tx);
  return { ...claimed, mail };
}

type LoopServices = Pick<
  Services,
  'connection' | 'db' | 'auth' | 'secrets' | 'mail' | 'log' | 'stopping'
>;

function deliver(services: LoopServices, { key, mail, attempts }: ClaimedMail): Promise<void> {
  const { db } = services;
  const tryIn = (seconds: number) =>
    db
      .updateTable('mails')
      .set({ next_try_at: inSeconds(seconds) })
      .where('key', '=', key)
      .execute();
  const remove = () => db.deleteFrom('mails').where('key', '=', key).execute();
  return sendLeased(
    { attempts, tryIn, remove },
    { most_attempts: MOST_ATTEMPTS, longest_pause: LAST_RETRY_SECONDS },
    () => sendQueuedMail(services, mail, attempts >= MOST_ATTEMPTS),
  );
}

/** Leases up to `limit` emails that are due. Without a mail server nothing is kept for later. */
async function claimMails(
  { connection, db, mail }: LoopServices,
  limit: number,
): Promise<ClaimedMail[]> {
  const claims: ClaimedMail[] = [];
  if (connection.isDiskLow()) return claims;
  if (!mail.isConfigured) await db.deleteFrom('mails').execute();
  while (claims.length < limit) {
    const claim = await claimMail(db);
    if (!claim) break;
    claims.push(claim);
  }
  return claims;
}

/** Sends the emails of the outbox as soon as the transaction that queued them has committed, on any panel. */
export function mailLoop(services: LoopServices): Background {
  const { connection, mail, log } = services;
  const loop = new ClaimLoop<ClaimedMail>(
    {
      name: 'mail',
      every_ms: mail.isConfigured ? 2000 : 60_000,
      at_a_time: AT_A_TIME,
      claim: (limit) => claimMails(services, limit),
      work: (claim) => deliver(services, claim),
      about: ({ account_id, mail: { kind } }) => ({ kind, account_id }),
    },
    log,
  );
  return {
    start: () => (mail.isConfigured ? loop.startOn(connection, CHANNEL) : loop.start()),
    stop: () => loop.stop(),
  };
}

import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { consumeLimit, limitOf } from '../../platform/rate-limit.ts';
import type { MailKind } from '../notices/outbox.ts';

/** Maximum mails of a kind per recipient and hour, whoever causes them. */
const MAILS_AN_HOUR = 3;
/** Maximum notices of a cause, such as top-ups or servers: strangers keep no alarm away. */
const NOTICES_AN_HOUR = 30;

const slotLimit = limitOf('mail', 1, 3600);

/** The recipient's slots that no mail blocks now. */
async function freeSlots(db: Db, kind: MailKind, email: string, cause?: string): Promise<string[]> {
  const most = kind === 'notice' ? NOTICES_AN_HOUR : MAILS_AN_HOUR;
  const named = [kind, ...(cause === undefined ? [] : [cause]), email].join(' ');
  const { rows } = await sql<{ slot: string }>`
    select slot from (
        select ${named}::text || ' ' || number as slot, number
          from generate_series(1, ${most}::integer) number) slots
      where not exists (select from rate_limits
        where scope = ${slotLimit.scope} and subject = slot and count >= ${slotLimit.failures}
          and window_ends_at > now())
      order by number`.execute(db);
  return rows.map(({ slot }) => slot);
}

/**
 * Takes one of the recipient's slots, each of which is blocked for an hour by its mail. A shared
 * window would allow all mails at its end and as many again at the start of the next. Each kind has
 * its own, or strangers who ask for links would keep the other mails away. Returns null if no slot
 * is free.
 */
export async function reserveMailSlot(
  db: Db,
  kind: MailKind,
  email: string,
  cause?: string,
): Promise<string | null> {
  for (const slot of await freeSlots(db, kind, email, cause)) {
    if ((await consumeLimit(db, slotLimit, slot)) === 0) return slot;
  }
  return null;
}

/** False if a mail to the recipient would not be sent now. */
export async function hasFreeMailSlot(db: Db, kind: MailKind, email: string): Promise<boolean> {
  return (await freeSlots(db, kind, email)).length > 0;
}

/** Frees the slot of a mail that was not sent. */
export async function releaseMailSlot(db: Db, slot: string): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where('scope', '=', slotLimit.scope)
    .where('subject', '=', slot)
    .execute();
}

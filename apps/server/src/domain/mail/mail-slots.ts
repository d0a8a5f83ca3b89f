import type { Db } from '../../db/transaction.ts';
import { consumeLimit, type Limit, readLimit } from '../../platform/rate-limit.ts';
import type { MailKind } from './texts/mail-kinds.ts';

/** Maximum mails of a kind per recipient and hour, whoever causes them. */
const MAILS_AN_HOUR = 3;
/** Of each cause, such as top-ups or servers: what strangers cause keeps no alarm away. */
const NOTICES_AN_HOUR = 30;

const slotLimit: Limit = { scope: 'mail', failures: 1, window_seconds: 3600 };

function slotsOf(kind: MailKind, email: string, cause?: string): string[] {
  const most = kind === 'notice' ? NOTICES_AN_HOUR : MAILS_AN_HOUR;
  const named = [kind, ...(cause === undefined ? [] : [cause]), email];
  return Array.from({ length: most }, (_, at) => [...named, at + 1].join(' '));
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
  for (const slot of slotsOf(kind, email, cause)) {
    if ((await consumeLimit(db, slotLimit, slot)) === 0) return slot;
  }
  return null;
}

/** False if a mail to the recipient would not be sent now. */
export async function hasFreeMailSlot(db: Db, kind: MailKind, email: string): Promise<boolean> {
  for (const slot of slotsOf(kind, email)) {
    if ((await readLimit(db, slotLimit, slot)) === 0) return true;
  }
  return false;
}

/** Frees the slot of a mail that was not sent. */
export async function releaseMailSlot(db: Db, slot: string): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where('scope', '=', slotLimit.scope)
    .where('subject', '=', slot)
    .execute();
}

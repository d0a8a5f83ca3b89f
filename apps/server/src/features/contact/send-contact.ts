import type * as contract from '@linekeeper/contract/contact.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import { contactLimit, enforceLimit } from '../../core/accounts/rate-limit.ts';
import { hasPassedSince } from '../../core/clock.ts';
import type { Ctx } from '../../core/context.ts';
import { newId } from '../../core/ids.ts';
import { negotiateLanguage } from '../../core/mail/negotiate-language.ts';
import { notifyAdministrators } from '../../core/mail/notify.ts';
import type { Action } from '../../core/use-case.ts';
import { type Tx, transact } from '../../db/transaction.ts';

type Sent = Parsed<typeof contract.sendContact>['body'];

/** Within this time, the same from the same sender is a retry after a lost reply. */
const RETRY_SECONDS = 600;

async function wasKept(tx: Tx, { email, subject, message }: Sent): Promise<boolean> {
  // Two retries side by side wait for each other here.
  await sql`select pg_advisory_xact_lock(hashtext(${`contact ${email}`}))`.execute(tx);
  const earlier = await tx
    .selectFrom('contact_messages')
    .select('id')
    .where('email', '=', email)
    .where('subject', '=', subject)
    .where('message', '=', message)
    .where(sql<boolean>`not ${hasPassedSince(sql.ref('created_at'), RETRY_SECONDS)}`)
    .executeTakeFirst();
  return earlier !== undefined;
}

/**
 * Keeps what anybody wrote. The sender of spam is not told that it is taken for that; the inbox shows it
 * in a view of its own and nobody is notified.
 */
async function keepContactMessage(tx: Tx, ctx: Ctx, body: Sent): Promise<void> {
  const { name, email, subject, message, language, homepage } = body;
  const isSpam = Boolean(homepage);
  await tx
    .insertInto('contact_messages')
    .values({
      id: newId(),
      name,
      email,
      subject,
      message,
      language: language ?? negotiateLanguage(ctx.headers.get('accept-language')),
      account_id: ctx.signedIn?.id ?? null,
      status: isSpam ? 'spam' : 'open',
      answer: null,
      answered_at: null,
      answered_by: null,
    })
    .execute();
  if (isSpam) return;
  await notifyAdministrators(tx, {
    event: 'contact_received',
    facts: { name, email, subject },
    link: '/support/contact',
  });
}

/**
 * What somebody signed in wrote becomes a ticket here, once there are tickets; until then it is kept
 * like that of a visitor, with the account.
 */
async function openTicketOfContact(tx: Tx, ctx: Ctx, body: Sent): Promise<void> {
  await keepContactMessage(tx, ctx, body);
}

export const sendContact: Action<typeof contract.sendContact> = async (ctx, { body }) => {
  await enforceLimit(ctx.db, contactLimit, ctx.address);
  await transact(ctx.db, async (tx) => {
    if (await wasKept(tx, body)) return;
    if (ctx.signedIn) await openTicketOfContact(tx, ctx, body);
    else await keepContactMessage(tx, ctx, body);
  });
  return { success: true };
};

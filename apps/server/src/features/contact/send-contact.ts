import type * as contract from '@linekeeper/contract/contact.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import { ticketSubject } from '../../domain/audit/audit-subjects.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { CONTACT_INBOX, notifyAdministrators } from '../../domain/notices/notify.ts';
import { openTicket } from '../../domain/tickets/tickets.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { secondsAgo } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { negotiateLanguage } from '../../platform/mail/negotiate-language.ts';
import { contactLimit, enforceLimit } from '../../platform/rate-limit.ts';
import { lockName } from '../../platform/rows.ts';

type Sent = Parsed<typeof contract.sendContact>['body'];

/** Seconds within which an equal message from the same sender is a retry after a lost response. */
const RETRY_SECONDS = 600;

/** Locks the sender, so that two retries at the same time wait for each other. */
async function waitForRetries(tx: Tx, sender: string): Promise<void> {
  await lockName(tx, `contact ${sender}`);
}

async function wasKept(tx: Tx, { email, subject, message, homepage }: Sent): Promise<boolean> {
  await waitForRetries(tx, email);
  const earlier = await tx
    .selectFrom('contact_messages')
    .select('id')
    .where('email', '=', email)
    // If a browser's autofill filled in the hidden field, the sender can send the message again without it.
    .where('status', homepage ? '=' : '!=', 'spam')
    .where('subject', '=', subject)
    .where('message', '=', message)
    .where('created_at', '>', secondsAgo(RETRY_SECONDS))
    .executeTakeFirst();
  return earlier !== undefined;
}

/**
 * Stores a message of the contact form. The sender of spam gets the same response; the inbox shows
 * it in a separate view, without a notification.
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
    })
    .execute();
  if (isSpam) return;
  await notifyAdministrators(tx, {
    event: 'contact_received',
    facts: { name, email, subject },
    link: CONTACT_INBOX,
  });
}

/**
 * The description of a ticket, with the typed address if it is not the account's, because the
 * sender wants a reply there.
 */
function descriptionOf({ name, email, message }: Sent, actor: SignedIn): string {
  return email === actor.email ? message : `${message}\n\n${name}, ${email}`;
}

async function findOpened(tx: Tx, actor: SignedIn, title: string, description: string) {
  await waitForRetries(tx, actor.id);
  return tx
    .selectFrom('tickets')
    .select(['id', 'number'])
    .where('user_id', '=', actor.id)
    .where('title', '=', title)
    .where('description', '=', description)
    .where('created_at', '>', secondsAgo(RETRY_SECONDS))
    .executeTakeFirst();
}

/** Opens a ticket for a message by a signed-in account, because a ticket can have several replies. */
async function openTicketOfContact(tx: Tx, ctx: Ctx, actor: SignedIn, body: Sent) {
  const title = body.subject;
  const description = descriptionOf(body, actor);
  const earlier = await findOpened(tx, actor, title, description);
  if (earlier) return earlier;
  const looks = { status: 'open', priority: 'medium', category: 'general' } as const;
  const ticket = await openTicket(tx, actor, { title, description, ...looks });
  const entry = { action: 'ticket.create', subject_type: 'ticket', subject_id: ticket.id } as const;
  const after = await ticketSubject.read(tx, ticket.id);
  await writeAudit(tx, auditOriginOf(ctx), [{ ...entry, after }]);
  return ticket;
}

export const sendContact: Action<typeof contract.sendContact> = async (ctx, { body }) => {
  const { signedIn } = ctx;
  // Tickets are limited by account, because others may write from the same address.
  if (!signedIn || body.homepage) await enforceLimit(ctx.db, contactLimit, ctx.network);
  const ticket = await transact(ctx.db, async (tx) => {
    if (signedIn && !body.homepage) return openTicketOfContact(tx, ctx, signedIn, body);
    if (!(await wasKept(tx, body))) await keepContactMessage(tx, ctx, body);
    return null;
  });
  return { success: true, ticket };
};

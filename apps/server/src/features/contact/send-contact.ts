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
import { newId } from '../../platform/ids.ts';
import { negotiateLanguage } from '../../platform/mail/negotiate-language.ts';
import { contactLimit, enforceLimit } from '../../platform/rate-limit.ts';

type Sent = Parsed<typeof contract.sendContact>['body'];

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
      ...{ id: newId(), name, email, subject, message },
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

/** Whoever typed another address than the account has wants the answer there, too. */
function descriptionOf({ name, email, message }: Sent, actor: SignedIn): string {
  return email === actor.email ? message : `${message}\n\n${name}, ${email}`;
}

/** Opens a ticket for a message by somebody signed in, because a ticket can be answered more than once. */
async function openTicketOfContact(tx: Tx, ctx: Ctx, actor: SignedIn, body: Sent) {
  const about = { title: body.subject, description: descriptionOf(body, actor) };
  const looks = { status: 'open', priority: 'medium', category: 'general' } as const;
  const ticket = await openTicket(tx, actor, { ...about, ...looks });
  const entry = { action: 'ticket.create', subject_type: 'ticket', subject_id: ticket.id } as const;
  const after = await ticketSubject.read(tx, ticket.id);
  await writeAudit(tx, auditOriginOf(ctx), [{ ...entry, after }]);
  return ticket;
}

export const sendContact: Action<typeof contract.sendContact> = async (ctx, { body }) => {
  const { signedIn } = ctx;
  // Tickets are limited by account, whoever else writes from the same address.
  if (!signedIn || body.homepage) await enforceLimit(ctx.db, contactLimit, ctx.network);
  const ticket = await transact(ctx.db, async (tx) => {
    if (signedIn && !body.homepage) return openTicketOfContact(tx, ctx, signedIn, body);
    await keepContactMessage(tx, ctx, body);
    return null;
  });
  return { success: true, ticket };
};

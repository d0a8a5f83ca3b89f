import type * as contract from '@linekeeper/contract/tickets/tickets.ts';
import type { TicketStatus } from '@linekeeper/contract/tickets/tickets.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import { notifyParties } from '../../domain/tickets/tickets.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { failField } from '../../platform/errors/refusal.ts';
import { enforceLimit, ticketRepliesLimit } from '../../platform/rate-limit.ts';
import { attach } from './attachments/store.ts';
import { addLines, addNote, findLine } from './conversation.ts';
import { type LockedTicket, lockTicket } from './store.ts';

/** The status after a reply. */
function statusAfter(ticket: LockedTicket, actor: SignedIn): TicketStatus {
  if (ticket.status === 'closed' && ticket.user_id === actor.id) return 'open';
  if (ticket.status === 'open' && actor.is_admin) return 'in_progress';
  return ticket.status;
}

export const createTicketReply: Mutation<
  typeof contract.createTicketReply,
  { ticket_id: string; id: string }
> = {
  audit: { auditsItself: 'a note and a reply are two kinds of acts' },
  commit: async (tx, ctx, { params, body: { content, is_note, attachment_ids } }) => {
    const { actor } = ctx;
    const ticket = await lockTicket(tx, actor, params.id);
    if (is_note && !actor.is_admin) failField('is_note', 'ADMIN_ONLY_FIELD');
    if (!actor.is_admin) await enforceLimit(tx, ticketRepliesLimit, actor.id);
    const entry = { subject_type: 'ticket' as const, subject_id: ticket.id };
    if (is_note) {
      const id = await addNote(tx, ticket, actor, content);
      await attach(tx, actor, attachment_ids, { ticket_id: ticket.id, note_id: id });
      await writeAudit(tx, auditOriginOf(ctx), [{ ...entry, action: 'ticket.note' }]);
      return { ticket_id: ticket.id, id };
    }
    const status = statusAfter(ticket, actor);
    const isMoved = status !== ticket.status;
    const event = { field: 'status' as const, from: ticket.status, to: status };
    const lines = [{ content }, ...(isMoved ? [{ event }] : [])];
    const [id = ''] = await addLines(tx, ticket, actor, lines, isMoved ? { status } : {});
    const target = { ticket_id: ticket.id, reply_id: id };
    const files = await attach(tx, actor, attachment_ids, target);
    await notifyParties(tx, 'ticket_replied', ticket, actor, { content, files });
    const states = isMoved ? { before: { status: ticket.status }, after: { status } } : {};
    await writeAudit(tx, auditOriginOf(ctx), [{ ...entry, ...states, action: 'ticket.reply' }]);
    return { ticket_id: ticket.id, id };
  },
  reply: async ({ db, actor }, { ticket_id, id }) => ({
    reply: await findLine(db, actor, ticket_id, id),
  }),
};

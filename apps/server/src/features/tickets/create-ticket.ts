import type * as contract from '@linekeeper/contract/tickets/tickets.ts';
import { ticketSubject } from '../../domain/audit/audit-subjects.ts';
import { openTicket } from '../../domain/tickets/open-ticket.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { attach } from './attachments/store.ts';
import { findTicket, requireLine } from './store.ts';

export const createTicket: Mutation<typeof contract.createTicket, { id: string }> = {
  audit: { action: 'ticket.create', subject: ticketSubject, made: ({ id }) => id },
  commit: async (tx, { actor }, { body: { attachment_ids, ...written } }) => {
    if (written.line_id) await requireLine(tx, actor, written.line_id);
    const { id } = await openTicket(tx, actor, written);
    await attach(tx, actor, attachment_ids, { ticket_id: id });
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({ ticket: await findTicket(db, actor, id) }),
};

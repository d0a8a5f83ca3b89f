import type * as contract from '@linekeeper/contract/tickets/tickets.ts';
import { sql } from 'kysely';
import { enforceLimit, ticketsLimit } from '../../core/accounts/rate-limit.ts';
import { ticketSubject } from '../../core/audit/audit-subjects.ts';
import { newId } from '../../core/ids.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';
import { attach } from './attachments/store.ts';
import { markRead } from './conversation.ts';
import { findTicket } from './store.ts';
import { tellOpened } from './tell.ts';

/** Held until the ticket is committed, so numbers are given in order. */
async function nextNumber(tx: Tx): Promise<number> {
  const { last_number } = await tx
    .updateTable('ticket_numbers')
    .set({ last_number: sql<number>`last_number + 1` })
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last_number;
}

export const createTicket: Mutation<typeof contract.createTicket, { id: string }> = {
  audit: { action: 'ticket.create', subject: ticketSubject, made: ({ id }) => id },
  commit: async (tx, { actor }, { body: { attachment_ids, ...body } }) => {
    if (!actor.is_admin) await enforceLimit(tx, ticketsLimit, actor.id);
    const ticket = {
      ...body,
      id: newId(),
      number: await nextNumber(tx),
      user_id: actor.id,
      assigned_to: null,
      last_writer_id: actor.id,
    };
    await tx.insertInto('tickets').values(ticket).execute();
    await attach(tx, actor, attachment_ids, { ticket_id: ticket.id });
    await markRead(tx, ticket.id, actor.id, 0);
    await tellOpened(tx, ticket, actor, body.description);
    return { id: ticket.id };
  },
  reply: async ({ db, actor }, { id }) => ({ ticket: await findTicket(db, actor, id) }),
};

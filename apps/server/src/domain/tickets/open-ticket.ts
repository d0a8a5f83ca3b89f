import type {
  TicketCategory,
  TicketPriority,
  TicketStatus,
} from '@linekeeper/contract/tickets/tickets.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { enforceLimit, ticketsLimit } from '../../platform/rate-limit.ts';
import type { SignedIn } from '../context/access.ts';
import { markRead } from './mark-read.ts';
import { notifyOpened } from './notify-parties.ts';

export interface NewTicket {
  title: string;
  description: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: TicketCategory;
  line_id?: string | undefined;
}

/** Held until the ticket is committed, so numbers are given in order. */
async function nextNumber(tx: Tx): Promise<number> {
  const { last_number } = await tx
    .updateTable('ticket_numbers')
    .set({ last_number: sql<number>`last_number + 1` })
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last_number;
}

/** Opens a ticket of the acting account and tells the administrators; the caller audits it. */
export async function openTicket(
  tx: Tx,
  actor: SignedIn,
  written: NewTicket,
): Promise<{ id: string; number: number }> {
  if (!actor.is_admin) await enforceLimit(tx, ticketsLimit, actor.id);
  const ticket = {
    ...written,
    line_id: written.line_id ?? null,
    id: newId(),
    number: await nextNumber(tx),
    user_id: actor.id,
    assigned_to: null,
    last_writer_id: actor.id,
  };
  await tx.insertInto('tickets').values(ticket).execute();
  await markRead(tx, ticket.id, actor.id, 0);
  await notifyOpened(tx, ticket, actor, written.description);
  return { id: ticket.id, number: ticket.number };
}

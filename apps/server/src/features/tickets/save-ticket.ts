import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type * as contract from '@linekeeper/contract/tickets/tickets.ts';
import { ticketChanges } from '@linekeeper/contract/tickets/tickets.ts';
import type { Tx } from '../../db/transaction.ts';
import { ticketSubject } from '../../domain/audit/audit-subjects.ts';
import { markRead, openTicket, pathOf, publicName } from '../../domain/tickets/tickets.ts';
import type { Mutation, PlainMutation } from '../../domain/use-cases/use-case.ts';
import { failField } from '../../platform/errors/refusal.ts';
import { deleteRow } from '../../platform/rows.ts';
import { attach } from './attachments/store.ts';
import { addPosts, type NewPost } from './conversation.ts';
import { findTicket, type LockedTicket, lockTicket, newestSeenBy, requireLine } from './store.ts';

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

type Changes = Parsed<typeof contract.editTicket>['body'];

/** Throws ADMIN_ONLY_FIELD: owners may only close their tickets, and reopen them. */
function refuseOwner(ticket: LockedTicket, changes: Changes): void {
  const other = ticketChanges.find((field) => field !== 'status' && changes[field] !== undefined);
  if (other) failField(other, 'ADMIN_ONLY_FIELD');
  const { status = ticket.status } = changes;
  const may = status === ticket.status || status === 'closed';
  const reopens = status === 'open' && ticket.status === 'closed';
  if (!may && !reopens) failField('status', 'ADMIN_ONLY_FIELD');
}

/** The name of an assignee. Throws ASSIGNEE_NOT_ADMIN if `mustBeActive` and it is not an active administrator. */
async function nameOfAdmin(tx: Tx, id: string, mustBeActive: boolean): Promise<string> {
  const found = await tx
    .selectFrom('auth_users')
    .select(['is_admin', 'banned', publicName('auth_users').as('name')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (mustBeActive && (!found?.is_admin || found.banned)) {
    failField('assigned_to', 'ASSIGNEE_NOT_ADMIN');
  }
  return found?.name ?? '';
}

/** A post for each field that differs. Throws ASSIGNEE_NOT_ADMIN. */
async function postsFor(tx: Tx, ticket: LockedTicket, changes: Changes): Promise<NewPost[]> {
  const posts: NewPost[] = [];
  for (const field of ticketChanges) {
    const [before, after] = [ticket[field], changes[field]];
    if (after === undefined || after === before) continue;
    const shown = async (value: string | null, isNew: boolean) =>
      field === 'assigned_to' && value !== null ? nameOfAdmin(tx, value, isNew) : value;
    posts.push({
      event: { field, from: await shown(before, false), to: await shown(after, true) },
    });
  }
  return posts;
}

export const editTicket: Mutation<typeof contract.editTicket, { id: string }> = {
  audit: { action: 'ticket.edit', subject: ticketSubject },
  commit: async (tx, { actor }, { params: { id }, body }) => {
    const ticket = await lockTicket(tx, actor, id);
    if (!actor.is_admin) refuseOwner(ticket, body);
    await addPosts(tx, ticket, actor, await postsFor(tx, ticket, body), body);
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({ ticket: await findTicket(db, actor, id) }),
};

/** Deletes a ticket with its notifications, because their links would not work any more. */
export const deleteTicket: PlainMutation<typeof contract.deleteTicket> = {
  audit: { action: 'ticket.delete', subject: ticketSubject },
  commit: async (tx, _, { params: { id } }) => {
    const deleted = await deleteRow(tx, 'tickets', id, 'TICKET_NOT_FOUND');
    await tx.deleteFrom('notifications').where('link', '=', pathOf(id)).execute();
    return deleted;
  },
};

export const readTicket: PlainMutation<typeof contract.readTicket> = {
  audit: { notAudited: 'what somebody has read is their own affair' },
  commit: async (tx, { actor }, { params: { id } }) => {
    const ticket = await lockTicket(tx, actor, id);
    await markRead(tx, id, actor.id, ticket[newestSeenBy(actor)]);
    return { success: true };
  },
};

import * as attachmentContract from '@linekeeper/contract/tickets/attachments.ts';
import * as cannedContract from '@linekeeper/contract/tickets/canned-replies.ts';
import * as contract from '@linekeeper/contract/tickets/tickets.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { findAttachment, readChunks } from './attachments/store.ts';
import { deleteAttachment, uploadAttachment } from './attachments/upload.ts';
import {
  createCannedReply,
  deleteCannedReply,
  editCannedReply,
  listCannedReplies,
} from './canned-replies.ts';
import { createTicketReply, listPosts } from './conversation.ts';
import { createTicket, deleteTicket, editTicket, readTicket } from './save-ticket.ts';
import { countTickets, findTicket, listTickets } from './store.ts';

export const ticketRoutes = [
  route(contract.listTickets, ({ db, actor }, { query }) => listTickets(db, actor, query)),
  route(contract.countTickets, ({ db, actor }) => countTickets(db, actor)),
  route(contract.createTicket, createTicket),
  route(contract.getTicket, async ({ db, actor }, { params }) => ({
    ticket: await findTicket(db, actor, params.id),
  })),
  route(contract.editTicket, editTicket),
  route(contract.deleteTicket, deleteTicket),
  route(contract.listTicketReplies, async ({ db, actor }, { params, query }) => {
    await findTicket(db, actor, params.id);
    return listPosts(db, actor, params.id, query);
  }),
  route(contract.createTicketReply, createTicketReply),
  route(contract.readTicket, readTicket),
  route(attachmentContract.uploadAttachment, uploadAttachment, {
    notAudited: 'a file tells of nothing until it is attached, which the reply does',
  }),
  route(attachmentContract.getAttachment, async ({ db, actor }, { params }) => {
    const file = await findAttachment(db, actor, params.id);
    return { ...file, parts: readChunks(db, file.id) };
  }),
  route(attachmentContract.deleteAttachment, deleteAttachment),
  route(cannedContract.listCannedReplies, listCannedReplies),
  route(cannedContract.createCannedReply, createCannedReply),
  route(cannedContract.editCannedReply, editCannedReply),
  route(cannedContract.deleteCannedReply, deleteCannedReply),
];

import * as contract from '@linekeeper/contract/messages.ts';
import { messageSubject } from '../../domain/audit/audit-subjects.ts';
import {
  countUnreadMessages,
  markAllMessagesRead,
  markMessageRead,
} from '../../domain/notices/messages.ts';
import { type PlainMutation, route } from '../../domain/use-cases/use-case.ts';
import { deleteRow } from '../../platform/rows.ts';
import { createMessage } from './publish-messages.ts';
import { findMessage, listMessages } from './store.ts';

const deleteMessage: PlainMutation<typeof contract.deleteMessage> = {
  audit: { action: 'message.delete', subject: messageSubject, of: ({ params }) => params.id },
  commit: (tx, _, { params }) => deleteRow(tx, 'messages', params.id, 'MESSAGE_NOT_FOUND'),
};

const readingIsOnesOwn = { notAudited: 'what somebody has read is nobody else’s' };

const readMessage: PlainMutation<typeof contract.readMessage> = {
  audit: readingIsOnesOwn,
  commit: async (tx, { actor }, { params: { id } }) => {
    // Administrators also see messages to others, for which nothing can be marked as read.
    if (!(await markMessageRead(tx, actor.id, id))) await findMessage(tx, actor, id);
    return { success: true };
  },
};

const readAllMessages: PlainMutation<typeof contract.readAllMessages> = {
  audit: readingIsOnesOwn,
  commit: async (tx, { actor }) => {
    await markAllMessagesRead(tx, actor.id);
    return { success: true };
  },
};

export const messageRoutes = [
  route(contract.listMessages, ({ db, actor }, { query }) => listMessages(db, actor, query)),
  route(contract.countUnreadMessages, async ({ db, actor }) => ({
    count: await countUnreadMessages(db, actor.id),
  })),
  route(contract.createMessage, createMessage),
  route(contract.getMessage, async ({ db, actor }, { params }) => ({
    message: await findMessage(db, actor, params.id),
  })),
  route(contract.deleteMessage, deleteMessage),
  route(contract.readMessage, readMessage),
  route(contract.readAllMessages, readAllMessages),
];

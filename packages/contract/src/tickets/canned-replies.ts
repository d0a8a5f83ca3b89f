import * as z from 'zod';
import { creation, done, endpoint, entity, ofRecord } from '../endpoint.ts';
import { moment, requiredText } from '../fields/fields.ts';
import { requiredName } from '../fields/names.ts';
import { MAX_TICKET_TEXT } from './tickets.ts';

export const MAX_CANNED_REPLIES = 200;

/** A text that administrators put into their replies. */
const cannedReply = entity('CannedReply', {
  id: z.string(),
  title: z.string(),
  content: z.string(),
  created_at: moment,
  updated_at: moment,
});
export type CannedReply = z.output<typeof cannedReply>;

const toAdmin = { access: 'admin', signedOutCode: 'USER_NOT_AUTHENTICATED' } as const;
const ofCannedReply = { ...toAdmin, ...ofRecord('admin', 'CANNED_REPLY_NOT_FOUND') } as const;
const fields = {
  title: requiredName(60),
  content: requiredText(MAX_TICKET_TEXT),
};

export const listCannedReplies = endpoint('listCannedReplies', 'GET /api/canned-replies', {
  ...toAdmin,
  summary: 'List canned replies',
  description: 'Lists canned replies by title.',
  output: z.object({ items: z.array(cannedReply) }),
});

export const createCannedReply = endpoint('createCannedReply', 'POST /api/canned-replies', {
  ...toAdmin,
  ...creation,
  summary: 'Add a canned reply',
  description: 'Adds a reply that all administrators can use.',
  body: z.object(fields),
  output: z.object({ canned_reply: cannedReply }),
  errors: ['CANNED_REPLY_EXISTS', 'TOO_MANY_CANNED_REPLIES'],
});

export const editCannedReply = endpoint('editCannedReply', 'PATCH /api/canned-replies/{id}', {
  ...ofCannedReply,
  summary: 'Change a canned reply',
  description: 'Changes the fields that you send. Texts written with it do not change.',
  body: z.object(fields).partial(),
  output: z.object({ canned_reply: cannedReply }),
  errors: ['CANNED_REPLY_EXISTS'],
});

export const deleteCannedReply = endpoint('deleteCannedReply', 'DELETE /api/canned-replies/{id}', {
  ...ofCannedReply,
  summary: 'Delete a canned reply',
  description: 'Deletes the canned reply. Texts written with it are kept.',
  output: done,
});

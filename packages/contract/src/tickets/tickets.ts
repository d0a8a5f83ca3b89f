import * as z from 'zod';
import { creation, done, endpoint, entity, listQuery, ofRecord, page } from '../endpoint.ts';
import { invalid, moment, optionalText, requiredText, userId, yesOrNo } from '../fields/fields.ts';
import { requiredName } from '../fields/names.ts';
import { listOf } from '../lists/list.ts';
import { ticketCategories, ticketPriorities, ticketStatuses, ticketsList } from '../lists/lists.ts';
import { attachment, attachmentIds } from './attachments.ts';

export type TicketStatus = (typeof ticketStatuses)[number];
export type TicketPriority = (typeof ticketPriorities)[number];
export type TicketCategory = (typeof ticketCategories)[number];

const MAX_TICKET_TITLE = 200;
export const MAX_TICKET_TEXT = 10_000;
/** Maximum number of tickets that an account which is not an administrator may open in an hour. */
export const MAX_TICKETS_AN_HOUR = 20;
export const MAX_REPLIES_AN_HOUR = 120;

const status = z.enum(ticketStatuses, invalid);
const priority = z.enum(ticketPriorities, invalid);
const category = z.enum(ticketCategories, invalid);

/** A ticket, which its owner and administrators can see. */
export const ticket = entity('Ticket', {
  id: z.string(),
  number: z.number().int(),
  title: z.string(),
  description: z.string(),
  status: z.enum(ticketStatuses),
  priority: z.enum(ticketPriorities),
  category: z.enum(ticketCategories),
  user_id: z.string(),
  user_name: z.string(),
  /** True if the owner was an administrator when the ticket was read. */
  user_is_admin: z.boolean(),
  assigned_to: z.string().nullable(),
  assigned_to_name: z.string().nullable(),
  line: z.object({ id: z.string(), username: z.string() }).nullable(),
  created_at: moment,
  updated_at: moment,
  /** True if the reader has opened the ticket since its newest entry. */
  is_read: z.boolean(),
  replies: z.number().int(),
  /** The author of the newest reply, or of the ticket if there are no replies. */
  last_writer_name: z.string(),
  last_writer_is_owner: z.boolean(),
});
export type Ticket = z.output<typeof ticket>;

/** A single ticket, with the files of its description. */
const ticketWithFiles = entity('TicketWithFiles', {
  ...ticket.shape,
  attachments: z.array(attachment),
});
export type TicketWithFiles = z.output<typeof ticketWithFiles>;

/** Fields of a ticket whose changes are rows of its conversation. */
export const ticketChanges = ['status', 'priority', 'category', 'assigned_to'] as const;

/** A row of the conversation. */
const ticketReply = entity('TicketReply', {
  id: z.string(),
  ticket_id: z.string(),
  /** `note`: internal, for administrators only. `event`: a field was changed. */
  kind: z.enum(['reply', 'note', 'event']),
  user_id: z.string(),
  user_name: z.string(),
  /** True if the author was an administrator when the row was written. */
  is_admin: z.boolean(),
  /** The text as Markdown; empty for an event, and for a reply with files only. */
  content: z.string(),
  /** The change, for an event only. Accounts are given by name. */
  event: z
    .object({
      field: z.enum(ticketChanges),
      from: z.string().nullable(),
      to: z.string().nullable(),
    })
    .nullable(),
  attachments: z.array(attachment),
  attachment_url: z.string().nullable(),
  created_at: moment,
  /** True if the calling account has read the reply. */
  is_read: z.boolean(),
});
export type TicketReply = z.output<typeof ticketReply>;

const toReader = { signedOutCode: 'USER_NOT_AUTHENTICATED', access: 'account' } as const;
const ofTicket = { ...toReader, ...ofRecord('account', 'TICKET_NOT_FOUND') } as const;
const content = requiredText(MAX_TICKET_TEXT);

export const listTickets = endpoint('listTickets', 'GET /api/tickets', {
  ...toReader,
  summary: 'List tickets',
  description:
    "Lists your own tickets. Administrators get all of them. `q` searches number, title and text; for administrators also the owner's name and email.",
  ...listOf(ticketsList, ticket),
});

export const countTickets = endpoint('countTickets', 'GET /api/tickets/counts', {
  ...toReader,
  summary: 'Count the tickets that you see',
  description: 'Counts active and closed tickets, and those that you have not read.',
  output: entity('TicketCounts', {
    all: z.number().int(),
    active: z.number().int(),
    closed: z.number().int(),
    unread: z.number().int(),
    assigned_to_me: z.number().int(),
    /** Active tickets without an assignee. */
    unassigned: z.number().int(),
  }),
});
export type TicketCounts = z.output<typeof countTickets.output>;

export const createTicket = endpoint('createTicket', 'POST /api/tickets', {
  ...toReader,
  ...creation,
  summary: 'Open a ticket',
  description: 'Opens a ticket. The description is Markdown without HTML.',
  body: z.object({
    title: requiredName(MAX_TICKET_TITLE),
    description: content,
    status: status.default('open'),
    priority: priority.default('medium'),
    category: category.default('general'),
    /** Id of a line that the caller may see. */
    line_id: userId.optional(),
    attachment_ids: attachmentIds,
  }),
  output: z.object({ ticket: ticketWithFiles }),
  failureCode: 'TICKET_NOT_CREATED',
  errors: [
    'TOO_MANY_ATTEMPTS',
    'TICKET_NOT_CREATED',
    'LINE_NOT_FOUND',
    'ATTACHMENT_NOT_FOUND',
    'ATTACHMENT_IN_USE',
  ],
});

export const getTicket = endpoint('getTicket', 'GET /api/tickets/{id}', {
  ...ofTicket,
  summary: 'Get a ticket',
  description:
    'Returns your own ticket, or any ticket for administrators. Its conversation is in `listTicketReplies`.',
  output: z.object({ ticket: ticketWithFiles }),
});

export const editTicket = endpoint('editTicket', 'PATCH /api/tickets/{id}', {
  ...ofTicket,
  summary: 'Change a ticket',
  description:
    'Changes the fields that you send. The owner may close the ticket, and reopen it. All other changes are for administrators.',
  body: z.object({ status, priority, category, assigned_to: userId.nullable() }).partial(),
  output: z.object({ ticket: ticketWithFiles }),
  errors: ['ADMIN_ONLY_FIELD', 'ASSIGNEE_NOT_ADMIN'],
});

export const deleteTicket = endpoint('deleteTicket', 'DELETE /api/tickets/{id}', {
  ...ofTicket,
  summary: 'Delete a ticket',
  description: 'Deletes the ticket with its conversation and attachments.',
  access: 'admin',
  hasLongStatements: true,
  output: done,
});

export const listTicketReplies = endpoint('listTicketReplies', 'GET /api/tickets/{id}/replies', {
  ...ofTicket,
  summary: 'List the conversation of a ticket',
  description: 'Lists replies and changes. Administrators also get notes.',
  query: listQuery(['created_at'], 'created_at', {}).omit({ q: true }),
  output: page(ticketReply),
});

export const createTicketReply = endpoint('createTicketReply', 'POST /api/tickets/{id}/replies', {
  ...ofTicket,
  ...creation,
  summary: 'Reply to a ticket',
  description:
    "Adds a reply. An administrator's reply sets an open ticket to in progress. An owner's reply reopens a closed one. A note (`is_note`) is visible to administrators only and changes no status. The text may be empty if a file is attached.",
  body: z
    .object({
      content: optionalText(MAX_TICKET_TEXT).default(''),
      is_note: yesOrNo.default(false),
      attachment_ids: attachmentIds,
    })
    .refine(({ content, attachment_ids }) => content !== '' || attachment_ids.length > 0, {
      path: ['content'],
      error: 'REPLY_EMPTY',
    }),
  output: z.object({ reply: ticketReply }),
  signedOutCode: 'LOGGED_OUT_REPLY',
  forbiddenCode: 'REPLY_FORBIDDEN',
  errors: [
    'REPLY_EMPTY',
    'ADMIN_ONLY_FIELD',
    'TOO_MANY_ATTEMPTS',
    'ATTACHMENT_NOT_FOUND',
    'ATTACHMENT_IN_USE',
  ],
});

export const readTicket = endpoint('readTicket', 'POST /api/tickets/{id}/read', {
  ...ofTicket,
  summary: 'Mark a ticket as read',
  description:
    'Marks everything that the ticket has at this moment as read, for your account only.',
  output: done,
});

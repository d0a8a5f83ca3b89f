import { userId } from '../fields/fields.ts';
import { choiceFilter, declareList, flagFilter, idFilter } from './list.ts';

/** States of a contact message. `spam` came with the hidden field filled in. An answer does not close the message. */
export const contactStatuses = ['open', 'answered', 'closed', 'spam'] as const;

/** The inbox of the contact form. */
export const contactList = declareList({
  name: 'contact',
  filters: { status: choiceFilter('status', contactStatuses) },
  columns: ['subject', 'received', 'status'],
  shownColumns: ['subject', 'received', 'status'],
  sorts: ['created_at'],
  defaultSort: '-created_at',
  views: {
    all: {},
    open: { status: 'open' },
    answered: { status: 'answered' },
    closed: { status: 'closed' },
    spam: { status: 'spam' },
  },
});

/** States of a message. Only administrators see messages that are scheduled or expired. */
export const messageStates = ['published', 'scheduled', 'expired'] as const;

/** The list of messages. Its rows are links with a summary, so it has no columns. */
export const messagesList = declareList({
  name: 'messages',
  filters: {
    unread: flagFilter('unread'),
    state: choiceFilter('state', messageStates),
  },
  columns: [],
  shownColumns: [],
  sorts: ['publish_at'],
  defaultSort: '-publish_at',
  views: {
    all: {},
    unread: { unread: true },
    scheduled: { state: 'scheduled' },
    expired: { state: 'expired' },
  },
});

export const ticketStatuses = ['open', 'in_progress', 'pending', 'closed'] as const;
export const ticketPriorities = ['low', 'medium', 'high', 'urgent'] as const;
export const ticketCategories = ['general', 'technical', 'billing', 'account', 'other'] as const;

const active = 'open,in_progress,pending';

/** The list of tickets. */
export const ticketsList = declareList({
  name: 'tickets',
  filters: {
    status: choiceFilter('status', ticketStatuses),
    priority: choiceFilter('priority', ticketPriorities),
    category: choiceFilter('category', ticketCategories),
    unread: flagFilter('unread'),
    assignee: idFilter('assigned_to', userId),
    /** Tickets that are assigned to the reader. */
    mine: flagFilter('assigned_to_me'),
    assigned: flagFilter('is_assigned'),
    account: idFilter('user_id', userId),
  },
  columns: ['status', 'priority', 'category', 'assignee', 'activity'],
  shownColumns: ['status', 'priority', 'category', 'assignee', 'activity'],
  sorts: ['updated_at', 'created_at', 'priority'],
  defaultSort: '-updated_at',
  views: {
    all: {},
    active: { status: active },
    unread: { unread: true },
    mine: { status: active, mine: true },
    unassigned: { status: active, assigned: false },
    closed: { status: 'closed' },
  },
});

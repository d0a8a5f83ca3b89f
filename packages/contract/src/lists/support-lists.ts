import { choiceFilter, declareList, flagFilter } from './list.ts';

/** `spam` came with the hidden field filled in. An answer does not close what it answers. */
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

/** Only administrators see those that are not shown yet or no longer. */
export const messageStates = ['published', 'scheduled', 'expired'] as const;

/** The list of messages: links beside what they say, so it has no columns. */
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

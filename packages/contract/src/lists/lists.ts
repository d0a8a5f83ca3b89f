import { groupIdOr, id, planId, serverId, userId } from '../fields/fields.ts';
import { permissions, RESELLER_GROUP, USER_GROUP } from '../permissions.ts';
import { pushOperations } from '../push-operations.ts';
import { auditSubjects } from './audit-subjects.ts';
import {
  addingFilter,
  choiceFilter,
  codeFilter,
  dayFilter,
  daysFilter,
  declareList,
  flagFilter,
  idFilter,
  oneIdFilter,
} from './list.ts';

/** Declarations of all lists. Browsers need them first, so this file imports none of the row schemas. */

/** First and last day, inclusive, in the panel's time zone. */
const period = { from: dayFilter('from'), to: dayFilter('to') };

/** A view for each of these statuses. */
const viewsOf = <Status extends string>(...statuses: Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, { status }])) as {
    [Name in Status]: { status: Name };
  };

export const syncStates = ['synced', 'pending', 'failed'] as const;

export const lineStatuses = ['active', 'expired', 'inactive', 'suspended'] as const;

/**
 * States of a line by the sessions that its server reports. It is `unknown` if the server does not report sessions, or
 * could not be read lately.
 */
export const presenceStates = ['online', 'offline', 'unknown'] as const;

/** The texts of a line that its list can show. */
export const textColumns = ['name', 'company', 'email', 'notes'] as const;

export const linesList = declareList({
  name: 'lines',
  filters: {
    presence: choiceFilter('presence', presenceStates),
    seen: daysFilter('seen_within'),
    never: flagFilter('never_connected'),
    sold: daysFilter('sold_for'),
    expires: daysFilter('expires_within'),
    ended: daysFilter('expired_for'),
    status: choiceFilter('status', lineStatuses),
    server: idFilter('server_id', serverId),
    plan: idFilter('plan_id', planId),
    sync: choiceFilter('sync_state', syncStates),
    trial: flagFilter('is_trial'),
    /** True to include lines of accounts below; lines of an owner that the filter names are always included. */
    below: addingFilter('with_below'),
    owner: idFilter('owner_id', userId),
    /** Lines whose name is longer than a CCcam client sends. */
    long_name: flagFilter('has_long_name'),
  },
  columns: ['online', 'expiry', 'status', 'server', 'owner'],
  moreColumns: ['plan', ...textColumns, 'added', 'term'],
  sorts: ['added_date', 'expiry_date', 'username', 'last_seen'],
  views: {
    active: { status: 'active' },
    expiring: { expires: '7d' },
    expired: { status: 'expired' },
    trials: { trial: true },
    not_synced: { sync: 'failed' },
    long_names: { long_name: true },
    online: { presence: 'online' },
    never_connected: { never: true, sold: '3d', status: 'active' },
  },
});

/** `pending` has never been tried; `failed` has been tried without success. */
export const pushStates = ['pending', 'failed'] as const;

/** The list of pending and failed changes, sorted by name, so that rows do not move while they are read. */
export const pushesList = declareList({
  name: 'sync',
  filters: {
    state: choiceFilter('state', pushStates),
    operation: choiceFilter('operation', pushOperations),
    server: idFilter('server_id', serverId),
  },
  columns: ['server', 'change', 'states', 'attempts', 'nextTry', 'message'],
  sorts: ['next_try_at', 'username'],
  defaultSort: 'username',
  views: { pending: { state: 'pending' }, failed: { state: 'failed' } },
});

/** The list of orphans, names on card servers that the panel does not know. */
export const orphansList = declareList({
  name: 'orphans',
  filters: { server: idFilter('server_id', serverId) },
  columns: ['server', 'expiry', 'found'],
  sorts: ['username', 'expiry_date', 'found_at'],
  defaultSort: 'username',
});

export const accountStatuses = ['active', 'suspended'] as const;

export const accountsList = declareList({
  name: 'accounts',
  filters: {
    group: idFilter('group_id', groupIdOr('INVALID_VALUE'), {}),
    status: choiceFilter('status', accountStatuses),
    owner: idFilter('owner_id', userId),
    /** Accounts without credits. Administrators never are, because their balance is not counted. */
    no_credits: flagFilter('no_credits'),
  },
  columns: ['balance', 'lines', 'below', 'status', 'group', 'last_sign_in'],
  moreColumns: ['created'],
  sorts: ['created_at', 'email', 'credits', 'lines', 'last_sign_in'],
  views: {
    resellers: { group: RESELLER_GROUP },
    no_credits: { no_credits: true },
    suspended: { status: 'suspended' },
    users: { group: USER_GROUP },
  },
});

/**
 * The list of groups. Its rows are links, so it has no columns. It is sorted by age, so the three fixed groups come
 * first.
 */
export const groupsList = declareList({
  name: 'groups',
  filters: { permission: choiceFilter('permission', permissions) },
  sorts: ['created_at', 'name', 'member_count'],
  defaultSort: 'created_at',
});

export const serverStatuses = ['active', 'inactive', 'error'] as const;

/** Findings of a card server's agent that need attention. */
export const serverFindings = ['not_taken', 'another_day'] as const;

/** The list of card servers: cards, so it has no columns. */
export const serversList = declareList({
  name: 'servers',
  filters: {
    status: choiceFilter('status', serverStatuses),
    finding: choiceFilter('finding', serverFindings),
  },
  sorts: ['created_at', 'server_name'],
  views: viewsOf('active', 'error', 'inactive'),
});

/** The list of lines that are online on one server. */
export const sessionsList = declareList({
  name: 'sessions',
  filters: {},
  columns: ['connections', 'protocol', 'network', 'since', 'answered', 'refused'],
  sorts: ['since', 'username', 'connections'],
});

export const transferKinds = [
  'sale',
  'renewal',
  'transfer',
  'take_back',
  'mint',
  'adjustment',
  'redeem',
  'topup',
  'refund',
] as const;

export const transfersList = declareList({
  name: 'transfers',
  filters: {
    kind: choiceFilter('kind', transferKinds),
    // The filter has a single account, because the balance beside each movement is that account's.
    account: oneIdFilter('account_id', userId),
    ...period,
  },
  columns: ['what', 'parties', 'actor', 'amount', 'balance'],
  sorts: ['created_at'],
  views: {
    sales: { kind: 'sale,renewal' },
    given: { kind: 'transfer,take_back' },
    refunds: { kind: 'refund' },
  },
});

/** `active` can be redeemed; `inactive` is switched off; `used` has no uses left. */
export const redeemCodeStatuses = ['active', 'inactive', 'expired', 'used'] as const;

export const redeemCodesList = declareList({
  name: 'redeem_codes',
  filters: { status: choiceFilter('status', redeemCodeStatuses) },
  columns: ['credits', 'label', 'uses', 'expires', 'status', 'created'],
  sorts: ['created_at', 'code', 'credits', 'times_used', 'expires_at'],
  views: viewsOf('active', 'used', 'expired', 'inactive'),
});

export const activationCodeStatuses = ['unused', 'used', 'refunded'] as const;

export const activationCodesList = declareList({
  name: 'activation_codes',
  filters: { status: choiceFilter('status', activationCodeStatuses) },
  columns: ['duration', 'status', 'line', 'note', 'created'],
  sorts: ['created_at'],
  views: viewsOf('unused', 'used', 'refunded'),
});

export const redemptionStatuses = ['success', 'error'] as const;

export const redemptionsList = declareList({
  name: 'redemptions',
  filters: {
    status: choiceFilter('status', redemptionStatuses),
    account: idFilter('user_id', userId),
    code: idFilter('code_id', id('INVALID_VALUE')),
  },
  columns: ['credits', 'redeemed', 'status'],
  sorts: ['redeemed_at'],
});

export const topUpStatuses = ['pending', 'approved', 'rejected', 'withdrawn'] as const;
export const topUpMethods = ['transfer', 'card'] as const;

/**
 * The list of top-ups. Its view `pending` shows the bank transfers that an administrator has to
 * approve; payments by card are approved automatically and left out.
 */
export const topUpsList = declareList({
  name: 'top_ups',
  filters: {
    status: choiceFilter('status', topUpStatuses),
    method: choiceFilter('method', topUpMethods),
    account: idFilter('account_id', userId),
    /** True for top-ups with owed credits, or with a payment that does not fit. */
    flagged: flagFilter('is_flagged'),
  },
  columns: ['account', 'credits', 'price', 'method', 'status'],
  sorts: ['created_at', 'credits'],
  views: {
    pending: { status: 'pending', method: 'transfer' },
    approved: { status: 'approved' },
    rejected: { status: 'rejected' },
    flagged: { flagged: true },
  },
});

export const auditList = declareList({
  name: 'audit',
  filters: {
    actor: idFilter('actor_id', userId),
    action: codeFilter('action'),
    about: choiceFilter('subject_type', auditSubjects),
    ...period,
  },
  columns: ['who', 'what', 'about', 'details'],
  sorts: ['created_at'],
  views: {
    lines: { about: 'line' },
    accounts: { about: 'account' },
    servers: { about: 'server' },
  },
});

/** Kinds of entries in an account's history. */
export const activityKinds = ['lines', 'credits', 'access', 'account', 'other'] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** The events of an account. They are shown as sentences, so the list has no columns. */
export const activityList = declareList({
  name: 'activity',
  filters: { kind: choiceFilter('kind', activityKinds), ...period },
  sorts: ['created_at'],
});

/**
 * States of a contact message. `spam` means that the hidden field was filled in. A reply does not close the message.
 */
export const contactStatuses = ['open', 'answered', 'closed', 'spam'] as const;

export const contactList = declareList({
  name: 'contact',
  filters: { status: choiceFilter('status', contactStatuses) },
  columns: ['subject', 'received', 'status'],
  sorts: ['created_at'],
  views: viewsOf('open', 'answered', 'closed', 'spam'),
});

/** States of a message. Only administrators see messages that are scheduled or expired. */
export const messageStates = ['published', 'scheduled', 'expired'] as const;

/** The list of messages. Its rows are links with a summary, so it has no columns. */
export const messagesList = declareList({
  name: 'messages',
  filters: { unread: flagFilter('unread'), state: choiceFilter('state', messageStates) },
  sorts: ['publish_at'],
  views: {
    unread: { unread: true },
    scheduled: { state: 'scheduled' },
    expired: { state: 'expired' },
  },
});

export const ticketStatuses = ['open', 'in_progress', 'pending', 'closed'] as const;
export const ticketPriorities = ['low', 'medium', 'high', 'urgent'] as const;
export const ticketCategories = ['general', 'technical', 'billing', 'account', 'other'] as const;

const active = 'open,in_progress,pending';

export const ticketsList = declareList({
  name: 'tickets',
  filters: {
    status: choiceFilter('status', ticketStatuses),
    priority: choiceFilter('priority', ticketPriorities),
    category: choiceFilter('category', ticketCategories),
    unread: flagFilter('unread'),
    assignee: idFilter('assigned_to', userId),
    mine: flagFilter('assigned_to_me'),
    assigned: flagFilter('is_assigned'),
    account: idFilter('user_id', userId),
  },
  columns: ['status', 'priority', 'category', 'assignee', 'activity'],
  sorts: ['updated_at', 'created_at', 'priority'],
  views: {
    active: { status: active },
    unread: { unread: true },
    mine: { status: active, mine: true },
    unassigned: { status: active, assigned: false },
    closed: { status: 'closed' },
  },
});

/** Every list; accounts keep preferences of each under its name. */
export const lists = [
  linesList,
  pushesList,
  orphansList,
  serversList,
  sessionsList,
  transfersList,
  accountsList,
  groupsList,
  redeemCodesList,
  redemptionsList,
  activationCodesList,
  topUpsList,
  contactList,
  messagesList,
  ticketsList,
  auditList,
  activityList,
] as const;

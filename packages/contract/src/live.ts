import * as z from 'zod';
import type { Access } from './permissions.ts';

const ops = ['INSERT', 'UPDATE', 'DELETE'] as const;
type Op = (typeof ops)[number];

/** Defines which changes of a table reach which browsers. */
export interface LiveRule<Name extends string = LiveName> {
  /** The operations that the table's triggers announce. */
  announces: readonly Op[];
  /** The access needed to receive any event of this table. */
  heardBy: Access;
  /** The access with which an account gets events for rows of any owner; null if no access is enough. */
  allHeardBy: Access | null;
  /** Receivers of an event without `allHeardBy`: the row's owner and all accounts above, or only the owner. */
  ownHeardBy: 'owner and above' | 'owner';
  /** First elements of the browser's query keys that a change makes stale. */
  makesStale: readonly Name[];
  /** Milliseconds before the data is fetched again; `ASK_AGAIN_MS` by default. */
  atMostEveryMs?: number;
}

/** Milliseconds during which an open page fetches changed data only once, even if many events arrive. */
export const ASK_AGAIN_MS = 2000;

const kept: readonly Op[] = ['INSERT', 'UPDATE'];

/** Receivers of events: all accounts that may see the rows, or only the accounts concerned. */
const sellers = {
  heardBy: ['view_users'],
  allHeardBy: ['view_users'],
  ownHeardBy: 'owner and above',
} as const;
const everybody = { heardBy: 'account', allHeardBy: 'account', ownHeardBy: 'owner' } as const;
const admins = { heardBy: 'admin', allHeardBy: 'admin', ownHeardBy: 'owner' } as const;
const ownerAndAdmins = { heardBy: 'account', allHeardBy: 'admin', ownHeardBy: 'owner' } as const;
const owner = { heardBy: 'account', allHeardBy: null, ownHeardBy: 'owner' } as const;

/** One rule for each table whose changes reach browsers. */
export const liveRules = {
  users: {
    announces: ops,
    heardBy: ['view_users'],
    allHeardBy: ['manage_users'],
    ownHeardBy: 'owner and above',
    // Server cards and accounts show the number of lines.
    makesStale: ['lines', 'servers', 'accounts', 'activity', 'dashboard'],
  },
  auth_users: {
    announces: kept,
    heardBy: 'account',
    allHeardBy: ['view_resellers', 'manage_resellers'],
    ownHeardBy: 'owner and above',
    // Groups show the number of their members, and every transfer changes a balance.
    makesStale: ['me', 'accounts', 'groups', 'transfers', 'activity', 'dashboard'],
  },
  groups: {
    announces: ops,
    heardBy: ['view_groups', 'manage_groups'],
    allHeardBy: ['view_groups', 'manage_groups'],
    ownHeardBy: 'owner and above',
    makesStale: ['groups'],
  },
  cccam_servers: {
    announces: ops,
    ...sellers,
    // A line shows when its server is offline or has not loaded it: a change of the server changes the line too.
    makesStale: ['lines', 'servers', 'dashboard'],
  },
  // This table changes once a minute for each server that reports its sessions.
  server_presence: {
    announces: kept,
    ...sellers,
    makesStale: ['lines', 'servers', 'dashboard', 'presence'],
    atMostEveryMs: 60_000,
  },
  jobs: {
    announces: kept,
    heardBy: ['view_users'],
    allHeardBy: 'admin',
    ownHeardBy: 'owner',
    makesStale: ['jobs'],
  },
  notifications: { announces: kept, ...owner, makesStale: ['notifications'] },
  messages: {
    announces: ops,
    ...ownerAndAdmins,
    // A message to everyone is sent to all accounts, because its announcement has `everyone`.
    makesStale: ['messages', 'notifications'],
  },
  message_reads: { announces: ['INSERT'], ...owner, makesStale: ['messages', 'notifications'] },
  redeem_codes: { announces: ops, ...admins, makesStale: ['redeem-codes'] },
  activation_codes: {
    announces: kept,
    ...owner,
    heardBy: ['view_users'],
    makesStale: ['activation-codes'],
  },
  book_entries: {
    announces: ops,
    ...owner,
    heardBy: ['view_users'],
    // A list of lines shows their payments.
    makesStale: ['book', 'lines'],
  },
  redeem_code_history: { announces: ['INSERT'], ...ownerAndAdmins, makesStale: ['redemptions'] },
  // Lists of lines show the plan of each line, and the servers of that plan.
  plans: { announces: ops, ...everybody, makesStale: ['credits', 'lines'] },
  price_lists: { announces: ops, ...everybody, makesStale: ['credits', 'lines'] },
  credit_packages: { announces: ops, ...everybody, makesStale: ['packages'] },
  top_ups: {
    announces: kept,
    ...ownerAndAdmins,
    // Packages show which of them is bought most often.
    makesStale: ['top-ups', 'packages'],
  },
  contact_messages: { announces: ops, ...admins, makesStale: ['contact'] },
  articles: { announces: ops, ...everybody, makesStale: ['articles'] },
  tickets: { announces: ops, ...ownerAndAdmins, makesStale: ['tickets'] },
  // Notes reach administrators only, because a ticket's owner must not notice them.
  ticket_notes: { announces: ['INSERT'], ...admins, makesStale: ['tickets'] },
  ticket_reads: { announces: kept, ...owner, makesStale: ['tickets'] },
  canned_replies: { announces: ops, ...admins, makesStale: ['canned-replies'] },
} as const satisfies Record<string, LiveRule<string>>;
export type LiveTable = keyof typeof liveRules;
/** The names of data that a browser's queries read; an announced change makes the queries with its names stale. */
export type LiveName = (typeof liveRules)[LiveTable]['makesStale'][number];

const liveTables = Object.keys(liveRules) as [LiveTable, ...LiveTable[]];

/**
 * An event that makes the browser refetch; sent over GET /api/events as the data of an unnamed server-sent event. `id`
 * is null if one statement changed many rows.
 */
export const liveEvent = z.object({
  table: z.enum(liveTables),
  op: z.enum(ops),
  id: z.string().nullable(),
});
export type LiveEvent = z.output<typeof liveEvent>;

export const EVENTS_PATH = '/api/events';

/**
 * The name of an event that is sent at the start of the stream and then at intervals, so that a broken stream is
 * noticed.
 */
export const BEAT = 'beat';
export const BEAT_MS = 20_000;

/**
 * The name of the event after which nothing is missing: the server has sent all events of the last `?back=`
 * milliseconds, which is the age of the page's data. A page without this event refetches everything.
 */
export const CAUGHT_UP = 'caught-up';
/**
 * Margin in milliseconds between a page's request and its reading of the response, which takes seconds on a slow phone
 * that is busy drawing.
 */
export const BACK_MARGIN_MS = 5000;

import { MOST_COUNTED, type Parsed } from '@linekeeper/contract/endpoint.ts';
import { ticketPriorities, ticketsList } from '@linekeeper/contract/lists/lists.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import type * as contract from '@linekeeper/contract/tickets/tickets.ts';
import type { Ticket, TicketWithFiles } from '@linekeeper/contract/tickets/tickets.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import {
  isVisibleTo,
  lineScope,
  ownScope,
  requireVisible,
  type Scope,
  type SignedIn,
  visibleTo,
} from '../../domain/context/access.ts';
import { publicName } from '../../domain/tickets/tickets.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { likeFolded } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import {
  asTotal,
  isUnfiltered,
  type Page,
  readPage,
  readWholePage,
  type Total,
} from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';
import { filesOfTicket } from './attachments/store.ts';

type Query = Parsed<typeof contract.listTickets>['query'];
type Tickets = SelectQueryBuilder<Database, 'tickets', object>;

const rank = sql`array_position(${sql.lit(`{${ticketPriorities.join()}}`)}::text[], tickets.priority)`;

const sortColumns: SortColumns<typeof ticketsList> = {
  updated_at: { ref: 'tickets.updated_at', type: 'timestamptz' },
  created_at: { ref: 'tickets.created_at', type: 'timestamptz' },
  priority: { ref: rank, type: 'bigint' },
};

type Reader = Pick<SignedIn, 'id' | 'is_admin'>;

/** Tickets that an account sees: its own, or all for administrators. Accounts above the owner do not see them. */
function visibleTickets(db: Db, actor: Reader): Tickets {
  return db.selectFrom('tickets').where(visibleTo(ownScope(actor), 'tickets.user_id'));
}

/** The scope of lines that a ticket may show: all for an administrator, those of the owner's subtree for an owner. */
const ticketScope = ({ id, is_admin }: Reader): Scope => ({ account_id: id, sees_all: is_admin });

/**
 * Checks that the account may link a ticket to the line. Throws LINE_NOT_FOUND if the account does not see the line.
 */
export async function requireLine(db: Db, actor: SignedIn, id: string): Promise<void> {
  if (!can(actor, ['view_users'])) fail('LINE_NOT_FOUND');
  await requireVisible(db, 'users', lineScope(actor), id);
}

/** The column with the newest post that an account may see: owners do not see notes. */
export function newestSeenBy({ is_admin }: Pick<SignedIn, 'is_admin'>) {
  return is_admin ? 'last_position' : 'last_shown';
}

function isUnread(actor: Reader) {
  const newest = sql.ref(`tickets.${newestSeenBy(actor)}`);
  return sql<SqlBool>`not exists (select from ticket_reads where ticket_id = tickets.id
    and account_id = ${actor.id} and read_to >= ${newest})`;
}

function matchText(actor: SignedIn, q: string) {
  const text = likeFolded(q);
  const number = /^#?0*([1-9]\d{0,14})$/.exec(q)?.[1] ?? null;
  const forAdmins = sql`
    or tickets.id in (select ticket_id from ticket_notes where search like ${text})
    or tickets.user_id in (select id from auth_users
      where auth_users.search like ${text})`;
  return sql<SqlBool>`(tickets.number = ${number}::bigint
    or tickets.search like ${text}
    or tickets.id in (select ticket_id from ticket_replies
      where kind = 'reply' and search like ${text})
    ${actor.is_admin ? forAdmins : sql``})`;
}

function filterTickets(db: Db, actor: SignedIn, filters: Query): Tickets {
  return filtered(ticketsList, visibleTickets(db, actor), filters, {
    status: 'tickets.status',
    priority: 'tickets.priority',
    category: 'tickets.category',
    assigned_to: 'tickets.assigned_to',
    user_id: 'tickets.user_id',
    assigned_to_me: sql`tickets.assigned_to is not distinct from ${actor.id}::uuid`,
    is_assigned: sql`tickets.assigned_to is not null`,
    unread: isUnread(actor),
    q: (text) => matchText(actor, text),
  });
}

/** SQL of a writer's name. Owners of tickets do not see the email addresses of administrators who reply. */
export function nameFor(actor: Pick<SignedIn, 'is_admin'>, table: string) {
  return actor.is_admin ? accountName(table) : publicName(table);
}

function selectTickets(db: Db, actor: Reader) {
  return db
    .selectFrom('tickets')
    .innerJoin('auth_users as owner', 'owner.id', 'tickets.user_id')
    .innerJoin('auth_users as writer', 'writer.id', 'tickets.last_writer_id')
    .leftJoin('auth_users as assignee', 'assignee.id', 'tickets.assigned_to')
    .select([
      'tickets.id',
      'tickets.number',
      'tickets.title',
      'tickets.description',
      'tickets.status',
      'tickets.priority',
      'tickets.category',
      'tickets.user_id',
      'owner.is_admin as user_is_admin',
      'tickets.assigned_to',
      'tickets.created_at',
      'tickets.updated_at',
      'tickets.replies',
      'tickets.line_id',
    ])
    .select([
      nameFor(actor, 'owner').as('user_name'),
      nameFor(actor, 'writer').as('last_writer_name'),
      sql<string | null>`${nameFor(actor, 'assignee')}`.as('assigned_to_name'),
      sql<boolean>`tickets.last_writer_id = tickets.user_id`.as('last_writer_is_owner'),
      sql<boolean>`not (${isUnread(actor)})`.as('is_read'),
      // A subquery finds the single line; a join would read all lines below the account.
      sql<string | null>`(select username from users as line
        where line.id = tickets.line_id and ${isVisibleTo(ticketScope(actor), 'line.owner_id')})`.as(
        'line_username',
      ),
    ]);
}
type Row = Awaited<ReturnType<ReturnType<typeof selectTickets>['execute']>>[number];

function toTicket({ line_id, line_username, ...row }: Row): Ticket {
  const line = line_id && line_username ? { id: line_id, username: line_username } : null;
  return { ...sentRow(row), line };
}

/** All tickets that an account may see. */
function everyTicket({ id, is_admin }: SignedIn) {
  return {
    name: is_admin ? 'tickets' : 'tickets of one',
    values: { id },
    rows: (db: Db, given: { id: string }) => {
      const reader = { ...given, is_admin };
      return selectTickets(db, reader).where(visibleTo(ownScope(reader), 'tickets.user_id'));
    },
  };
}

/** The number of all tickets, kept by a trigger. */
const countAll = compiledQuery([], (db) =>
  db.selectFrom('ticket_numbers').select('tickets as count'),
);
const countOfOne = compiledQuery(['id'], (db, { id }) => {
  const counted = visibleTickets(db, { id, is_admin: false })
    .select(sql`1`.as('one'))
    .limit(sql.lit(MOST_COUNTED + 1));
  return db.selectFrom(counted.as('counted')).select(sql<number>`count(*)`.as('count'));
});

async function countEvery(db: Db, { id, is_admin }: SignedIn): Promise<Total> {
  const [found] = is_admin ? await countAll(db, {}) : await countOfOne(db, { id });
  return asTotal(found?.count ?? 0);
}

function readTickets(db: Db, actor: SignedIn, query: Query): Promise<Page<Row>> {
  if (isUnfiltered(query)) {
    const count = () => countEvery(db, actor);
    return readWholePage(db, query, sortColumns, 'tickets.id', everyTicket(actor), count);
  }
  const matching = filterTickets(db, actor, query);
  return readPage(db, query, sortColumns, 'tickets.id', matching, selectTickets(db, actor));
}

export async function listTickets(db: Db, actor: SignedIn, query: Query): Promise<Page<Ticket>> {
  const page = await readTickets(db, actor, query);
  return { ...page, items: page.items.map(toTicket) };
}

/** The ticket with this ID, as the reader sees it. Throws TICKET_NOT_FOUND, also for another account's. */
export async function findTicket(db: Db, actor: SignedIn, id: string): Promise<TicketWithFiles> {
  const rows = await selectTickets(db, actor)
    .where('tickets.id', '=', id)
    .where(visibleTo(ownScope(actor), 'tickets.user_id'))
    .execute();
  const [found] = rows.map(toTicket);
  if (!found) return fail('TICKET_NOT_FOUND');
  return { ...found, attachments: await filesOfTicket(db, id) };
}

const count = (condition: unknown) => sql<number>`count(*) filter (where ${condition})::bigint`;
const isActive = sql<SqlBool>`tickets.status <> 'closed'`;

/** Counts of all tickets: from the stored number, and along the indexes of active and of read tickets. */
const askCountsOfAll = compiledQuery(['id'], (db, { id }) => {
  const read = sql`(select count(*) from ticket_reads where account_id = ${id}::uuid and is_current)`;
  const total = sql<number>`(select tickets from ticket_numbers)`;
  return db
    .selectFrom('tickets')
    .where(isActive)
    .select([
      total.as('all'),
      sql<number>`count(*)::bigint`.as('active'),
      sql<number>`${total} - count(*)::bigint`.as('closed'),
      sql<number>`greatest(0, ${total} - ${read})::bigint`.as('unread'),
      count(sql`tickets.assigned_to = ${id}::uuid`).as('assigned_to_me'),
      count(sql`tickets.assigned_to is null`).as('unassigned'),
    ]);
});

const askCountsOfOwn = compiledQuery(['id'], (db, { id }) =>
  visibleTickets(db, { id, is_admin: false })
    .leftJoin('ticket_reads as reading', (join) =>
      join.onRef('reading.ticket_id', '=', 'tickets.id').on('reading.account_id', '=', id),
    )
    .select([
      count(true).as('all'),
      count(isActive).as('active'),
      count(sql`not ${isActive}`).as('closed'),
      count(sql`coalesce(reading.read_to, -1) < tickets.last_shown`).as('unread'),
      count(sql`${isActive} and tickets.assigned_to = ${id}::uuid`).as('assigned_to_me'),
      count(sql`${isActive} and tickets.assigned_to is null`).as('unassigned'),
    ]),
);

export async function countTickets(
  db: Db,
  { id, is_admin }: Reader,
): Promise<contract.TicketCounts> {
  const [counts] = await (is_admin ? askCountsOfAll : askCountsOfOwn)(db, { id });
  return counts as contract.TicketCounts;
}

/** Locks a ticket until the transaction ends. Throws TICKET_NOT_FOUND, also for another account's. */
export async function lockTicket(tx: Db, actor: SignedIn, id: string) {
  const found = await visibleTickets(tx, actor)
    .selectAll('tickets')
    .where('tickets.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found ?? fail('TICKET_NOT_FOUND');
}
export type LockedTicket = Awaited<ReturnType<typeof lockTicket>>;

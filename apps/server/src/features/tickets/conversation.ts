import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type * as contract from '@linekeeper/contract/tickets/tickets.ts';
import type { TicketReply, TicketStatus } from '@linekeeper/contract/tickets/tickets.ts';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import { markRead, notifyParties } from '../../domain/tickets/tickets.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import {
  type AnyQuery,
  type Page,
  readPage,
  type SortColumn,
} from '../../platform/paging/pages.ts';
import { enforceLimit, ticketRepliesLimit } from '../../platform/rate-limit.ts';
import { sentRow } from '../../platform/rows.ts';
import { attach, filesOfPosts } from './attachments/store.ts';
import { type LockedTicket, lockTicket, nameFor, newestSeenBy } from './store.ts';

type Query = Parsed<typeof contract.listTicketReplies>['query'];

/** Columns by which posts are sorted: their number, because clocks can be set back. */
const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'conversation.ordinal', type: 'bigint' },
};

/** A reply, note or event in a ticket's conversation. */
interface Post extends Omit<Selectable<Database['ticket_replies']>, 'kind' | 'search'> {
  kind: TicketReply['kind'];
  /** The number among the posts that the reader sees, so that cursors do not reveal the number of notes. */
  ordinal: number;
}

/** The posts of a ticket. Only for administrators does the statement read the table of notes. */
function postsOf(db: Db, actor: SignedIn, ticketId: string) {
  const notes = sql`union all
    select id, ticket_id, position, position, 'note', user_id, true, content, null, created_at
    from ticket_notes where ticket_id = ${ticketId}`;
  const ordinal = actor.is_admin ? sql`position` : sql`row_number() over (order by position)`;
  const posts = sql<Post>`(
    select id, ticket_id, position, ${ordinal} as ordinal, kind, user_id, is_admin, content, event,
      created_at
    from ticket_replies where ticket_id = ${ticketId}
    ${actor.is_admin ? notes : sql``})`;
  return db.selectFrom(posts.as('conversation'));
}

function selectPosts(db: Db, actor: SignedIn, ticketId: string) {
  return postsOf(db, actor, ticketId)
    .innerJoin('auth_users as author', 'author.id', 'conversation.user_id')
    .leftJoin('ticket_reads as reading', (join) =>
      join
        .onRef('reading.ticket_id', '=', 'conversation.ticket_id')
        .on('reading.account_id', '=', actor.id),
    )
    .select([
      'conversation.id',
      'conversation.ticket_id',
      'conversation.kind',
      'conversation.user_id',
      'conversation.is_admin',
      'conversation.content',
      'conversation.event',
      'conversation.created_at',
    ])
    .select([
      nameFor(actor, 'author').as('user_name'),
      sql<boolean>`(conversation.user_id = ${actor.id}
        or conversation.position <= coalesce(reading.read_to, -1))`.as('is_read'),
    ]);
}
type Row = Awaited<ReturnType<ReturnType<typeof selectPosts>['execute']>>[number];

async function toReplies(db: Db, rows: readonly Row[]): Promise<TicketReply[]> {
  const files = await filesOfPosts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const attachments = files.get(row.id) ?? [];
    return { ...sentRow(row), attachments, attachment_url: attachments[0]?.url ?? null };
  });
}

export async function listPosts(
  db: Db,
  actor: SignedIn,
  ticketId: string,
  query: Query,
): Promise<Page<TicketReply>> {
  const matching = postsOf(db, actor, ticketId) as AnyQuery<object>;
  const rows = selectPosts(db, actor, ticketId);
  const page = await readPage(db, query, sortColumns, 'conversation.id', matching, rows);
  return { ...page, items: await toReplies(db, page.items) };
}

/** A post. Throws TICKET_NOT_FOUND if it was deleted. */
async function findPost(
  db: Db,
  actor: SignedIn,
  ticketId: string,
  id: string,
): Promise<TicketReply> {
  const rows = await selectPosts(db, actor, ticketId).where('conversation.id', '=', id).execute();
  const [found] = await toReplies(db, rows);
  return found ?? fail('TICKET_NOT_FOUND');
}

export interface NewPost {
  content?: string;
  event?: NonNullable<TicketReply['event']>;
}

type Changes = Updateable<Database['tickets']>;

/**
 * Adds posts that the owner may see to a locked ticket, and changes it, in one statement each, for one
 * live update. Returns the posts' ids.
 */
export async function addPosts(
  tx: Tx,
  ticket: LockedTicket,
  actor: SignedIn,
  posts: readonly NewPost[],
  changes: Changes = {},
): Promise<string[]> {
  if (posts.length === 0) return [];
  const rows = posts.map(({ content = '', event }, index) => ({
    id: newId(),
    ticket_id: ticket.id,
    position: ticket.last_position + index + 1,
    kind: event ? ('event' as const) : ('reply' as const),
    user_id: actor.id,
    is_admin: actor.is_admin,
    content,
    event: event ? JSON.stringify(event) : null,
  }));
  await tx.insertInto('ticket_replies').values(rows).execute();
  const written = rows.filter(({ kind }) => kind === 'reply').length;
  const newest = ticket.last_position + rows.length;
  await tx
    .updateTable('tickets')
    .set({
      ...changes,
      last_position: newest,
      last_shown: newest,
      replies: ticket.replies + written,
      updated_at: sql<Date>`clock_timestamp()`,
      ...(written > 0 ? { last_writer_id: actor.id } : {}),
    })
    .where('id', '=', ticket.id)
    .execute();
  if (written > 0) await markRead(tx, ticket.id, actor.id, newest);
  else {
    // For the author of a change, the ticket stays read if it was; replies that the author had not read stay unread.
    await sql`update ticket_reads set read_to = ${newest}
      where ticket_id = ${ticket.id} and account_id = ${actor.id}
        and read_to >= ${ticket[newestSeenBy(actor)]}`.execute(tx);
  }
  return rows.map(({ id }) => id);
}

/** Adds a note, which changes nothing that the owner sees. */
async function addNote(
  tx: Tx,
  ticket: LockedTicket,
  actor: SignedIn,
  content: string,
): Promise<string> {
  const [id, position] = [newId(), ticket.last_position + 1];
  await tx
    .updateTable('tickets')
    .set({ last_position: position })
    .where('id', '=', ticket.id)
    .execute();
  await tx
    .insertInto('ticket_notes')
    .values({ id, ticket_id: ticket.id, position, user_id: actor.id, content })
    .execute();
  await markRead(tx, ticket.id, actor.id, position);
  return id;
}

function statusAfter(ticket: LockedTicket, actor: SignedIn): TicketStatus {
  if (ticket.status === 'closed' && ticket.user_id === actor.id) return 'open';
  if (ticket.status === 'open' && actor.is_admin) return 'in_progress';
  return ticket.status;
}

export const createTicketReply: Mutation<typeof contract.createTicketReply, { id: string }> = {
  audit: { auditsItself: 'a note and a reply are two kinds of acts' },
  commit: async (tx, ctx, { params, body: { content, is_note, attachment_ids } }) => {
    const { actor } = ctx;
    const ticket = await lockTicket(tx, actor, params.id);
    if (is_note && !actor.is_admin) failField('is_note', 'ADMIN_ONLY_FIELD');
    if (!actor.is_admin) await enforceLimit(tx, ticketRepliesLimit, actor.id);
    const entry = { subject_type: 'ticket' as const, subject_id: ticket.id };
    if (is_note) {
      const id = await addNote(tx, ticket, actor, content);
      await attach(tx, actor, attachment_ids, { ticket_id: ticket.id, note_id: id });
      await writeAudit(tx, auditOriginOf(ctx), [{ ...entry, action: 'ticket.note' }]);
      return { id };
    }
    const status = statusAfter(ticket, actor);
    const isMoved = status !== ticket.status;
    const event = { field: 'status' as const, from: ticket.status, to: status };
    const posts = [{ content }, ...(isMoved ? [{ event }] : [])];
    const [id = ''] = await addPosts(tx, ticket, actor, posts, isMoved ? { status } : {});
    const target = { ticket_id: ticket.id, reply_id: id };
    const files = await attach(tx, actor, attachment_ids, target);
    await notifyParties(tx, 'ticket_replied', ticket, actor, { content, files });
    const states = isMoved ? { before: { status: ticket.status }, after: { status } } : {};
    await writeAudit(tx, auditOriginOf(ctx), [{ ...entry, ...states, action: 'ticket.reply' }]);
    return { id };
  },
  reply: async ({ db, actor }, { id }, { params }) => ({
    reply: await findPost(db, actor, params.id, id),
  }),
};

import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { plainMarkdown } from '@linekeeper/contract/text/plain-markdown.ts';
import type { createTicket } from '@linekeeper/contract/tickets/tickets.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { enforceLimit, ticketsLimit } from '../../platform/rate-limit.ts';
import type { SignedIn } from '../context/access.ts';
import { CONTACT_INBOX, notify, readAdministrators, TICKETS } from '../notices/notify.ts';

/** The path of a ticket's page, by which notices about the ticket are found. */
export function pathOf(ticketId: string): string {
  return TICKETS + ticketId;
}

/**
 * Marks a ticket as read by an account up to `read_to`, and its notices in the bell with it. `read_to` is the
 * position of a post, because clocks jump, and two posts can have the same time.
 */
export async function markRead(
  tx: Tx,
  ticket_id: string,
  account_id: string,
  read_to: number,
): Promise<void> {
  await sql`insert into ticket_reads (ticket_id, account_id, read_to)
      values (${ticket_id}, ${account_id}, ${read_to})
    on conflict (account_id, ticket_id) do update set read_to = excluded.read_to
      where ticket_reads.read_to < excluded.read_to`.execute(tx);
  await sql`update notifications set is_read = true
    where account_id = ${account_id} and link = ${pathOf(ticket_id)} and not is_read`.execute(tx);
}

/**
 * Deletes the notices of a former administrator about contact messages and about tickets of others,
 * because that account may not read these texts any more.
 */
export async function forgetForeignNotices(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from notifications where account_id = ${accountId}
    and (link = ${CONTACT_INBOX} or starts_with(link, ${TICKETS}) and not exists (
      select from tickets where user_id = ${accountId} and ${TICKETS}::text || id = link))`.execute(
    tx,
  );
}

/** Characters of a text in a notice; longer texts are read in the panel. */
const EXCERPT = 500;
/** The most characters from which marks of Markdown are removed, because finding them takes more than linear time. */
const MOST_READ = 4 * EXCERPT;

interface NotifiedTicket {
  id: string;
  number: number;
  title: string;
  user_id: string;
  assigned_to: string | null;
}

function excerptOf(content: string): string {
  const letters = [...content];
  return letters.length > EXCERPT ? `${letters.slice(0, EXCERPT).join('')}…` : content;
}

/** The readers of an owner's text: the assignee, or without one all administrators except the author. */
async function administratorsFor(
  tx: Tx,
  { assigned_to }: NotifiedTicket,
  actor: SignedIn,
): Promise<string[]> {
  if (assigned_to === actor.id) return [];
  const others = (await readAdministrators(tx)).filter((id) => id !== actor.id);
  const assignee = others.filter((id) => id === assigned_to);
  return assignee.length > 0 ? assignee : others;
}

/**
 * SQL for the name of an account that owners of tickets see. An administrator's username that is an email
 * address is hidden, because that account signs in with it.
 */
export function publicName(table: string) {
  const named = (column: string) => sql.ref(`${table}.${column}`);
  return sql<string>`coalesce(nullif(${named('full_name')}, ''),
    case when ${named('is_admin')} and ${named('username')} like '%@%' then 'Admin'
      else ${named('username')} end)`;
}

/** Notifies the owner of a text by others, or administrators of a text by the owner; `files` are names. */
export async function notifyParties(
  tx: Tx,
  event: 'new_ticket' | 'ticket_replied',
  ticket: NotifiedTicket,
  actor: SignedIn,
  { content, files = [] }: { content: string; files?: readonly string[] },
): Promise<void> {
  const accounts =
    ticket.user_id === actor.id ? await administratorsFor(tx, ticket, actor) : [ticket.user_id];
  if (accounts.length === 0) return;
  const { name } = await tx
    .selectFrom('auth_users')
    .select(publicName('auth_users').as('name'))
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  const facts = {
    number: ticket.number,
    title: ticket.title,
    name,
    text: excerptOf(plainMarkdown(content.slice(0, MOST_READ))),
    files: excerptOf(files.join(', ')),
  };
  const link = pathOf(ticket.id);
  await notify(
    tx,
    accounts.map((account_id) => ({ event, facts, account_id, link })),
  );
}

type NewTicket = Omit<Parsed<typeof createTicket>['body'], 'attachment_ids'>;

/** The next number, locked until the commit, so that numbers are given in order. */
async function nextNumber(tx: Tx): Promise<number> {
  const { last_number } = await tx
    .updateTable('ticket_numbers')
    .set({ last_number: sql<number>`last_number + 1` })
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last_number;
}

/**
 * Opens a ticket of the acting account and notifies the administrators; the caller audits it. Throws TOO_MANY_ATTEMPTS.
 */
export async function openTicket(
  tx: Tx,
  actor: SignedIn,
  written: NewTicket,
): Promise<{ id: string; number: number }> {
  if (!actor.is_admin) await enforceLimit(tx, ticketsLimit, actor.id);
  const ticket = {
    ...written,
    id: newId(),
    number: await nextNumber(tx),
    user_id: actor.id,
    last_writer_id: actor.id,
  };
  await tx.insertInto('tickets').values(ticket).execute();
  await markRead(tx, ticket.id, actor.id, 0);
  const notified = { ...ticket, assigned_to: null };
  await notifyParties(tx, 'new_ticket', notified, actor, { content: written.description });
  return { id: ticket.id, number: ticket.number };
}

import { plainMarkdown } from '@linekeeper/contract/text/plain-markdown.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import type { SignedIn } from '../context/access.ts';
import { notify } from '../notices/notify.ts';
import { pathOf } from './notices.ts';

/** Longer texts are read in the panel. */
const EXCERPT = 500;
/** Marks of Markdown are taken from no more than this, since their search is not linear. */
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

/** The readers of an owner's reply: the assignee, else all administrators but the author. */
async function administratorsFor(
  tx: Tx,
  ticket: NotifiedTicket,
  actor: SignedIn,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('is_admin', '=', true)
    .where('banned', '=', false)
    .where('id', '!=', actor.id)
    .execute();
  const ids = rows.map(({ id }) => id);
  const assignee = ids.filter((id) => id === ticket.assigned_to);
  if (ticket.assigned_to === actor.id) return [];
  return assignee.length > 0 ? assignee : ids;
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

async function nameOf(tx: Tx, actor: SignedIn): Promise<string> {
  const { name } = await tx
    .selectFrom('auth_users')
    .select(publicName('auth_users').as('name'))
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  return name;
}

/** A reply's text and the names of its files. */
interface Sent {
  content: string;
  files?: readonly string[];
}

async function notifyAll(
  tx: Tx,
  event: 'new_ticket' | 'ticket_replied',
  ticket: NotifiedTicket,
  actor: SignedIn,
  { content, files = [] }: Sent,
  accounts: readonly string[],
): Promise<void> {
  if (accounts.length === 0) return;
  const facts = {
    number: ticket.number,
    title: ticket.title,
    name: await nameOf(tx, actor),
    text: excerptOf(plainMarkdown(content.slice(0, MOST_READ))),
    files: excerptOf(files.join(', ')),
  };
  const link = pathOf(ticket.id);
  await notify(
    tx,
    accounts.map((account_id) => ({ event, facts, account_id, link })),
  );
}

export async function notifyOpened(
  tx: Tx,
  ticket: NotifiedTicket,
  actor: SignedIn,
  content: string,
) {
  const accounts = await administratorsFor(tx, ticket, actor);
  await notifyAll(tx, 'new_ticket', ticket, actor, { content }, accounts);
}

/** Notifies the owner of a reply, and administrators of a reply by the owner. */
export async function notifyReplied(tx: Tx, ticket: NotifiedTicket, actor: SignedIn, sent: Sent) {
  const accounts =
    ticket.user_id === actor.id ? await administratorsFor(tx, ticket, actor) : [ticket.user_id];
  await notifyAll(tx, 'ticket_replied', ticket, actor, sent, accounts);
}

import { MOST_UNREAD } from '@linekeeper/contract/messages.ts';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { linesOfServer } from '../../db/lines-of-server.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { anyOf } from '../../platform/paging/filtered.ts';

/** The link of notices about an outage, to the lines of the server whose ID is appended. */
export const LINES_ON = '/users/all?server=';

/** SQL condition: the message is shown now. The scheduled job stores its end within seconds. */
export const isShown = sql<SqlBool>`(messages.state = 'published'
  and (messages.expires_at is null or messages.expires_at > clock_timestamp()))`;

/**
 * SQL conditions, one for each kind of message that reaches a reader. No message meets two of them,
 * and each is read along an index.
 */
export const waysTo = (reader: string): RawBuilder<SqlBool>[] => [
  sql<SqlBool>`messages.is_global`,
  sql<SqlBool>`messages.recipient_id = ${reader}::uuid`,
  sql<SqlBool>`messages.id = any(array(
    select message_id from message_readers where account_id = ${reader}::uuid))`,
];

export const unionOf = <Row>(parts: readonly Expression<Row>[]) =>
  sql<Row>`(${sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )})`;

export const isTo = (reader: string): RawBuilder<SqlBool> => anyOf(waysTo(reader));

/** SQL of a message's text in the reader's language, if it has one. */
export const textFor = (reader: string, part: 'title' | 'content'): RawBuilder<string> =>
  sql<string>`coalesce(messages.texts -> coalesce(
      (select value ->> 'language' from account_settings where account_id = ${reader}::uuid), 'en')
    ->> ${sql.lit(part)}, messages.${sql.ref(part)})`;

/**
 * Stores the readers of published messages to the accounts with lines on a server, their own or of accounts below. A
 * message about an outage replaces the panel's own notice.
 */
export async function addReaders(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    with readers as (
      insert into message_readers (message_id, account_id)
        select distinct messages.id, reader.id
          from messages
            cross join lateral ${linesOfServer(sql.ref('messages.server_id'))} as line
            join account_tree on account_tree.account_id = line.owner_id
            join auth_users as reader on reader.id = ancestor_id
          where messages.id = any(${ids}::uuid[]) and not reader.is_admin and not reader.banned
      on conflict do nothing
      returning message_id, account_id)
    delete from notifications
      using readers
        join messages on messages.id = readers.message_id
        join cccam_servers on cccam_servers.id = messages.server_id
      where notifications.account_id = readers.account_id
        and link = ${LINES_ON} || cccam_servers.id
        and notifications.created_at >= error_told_at`.execute(tx);
}

/**
 * SQL condition: the reader has not read the message; authors have read their own. `offset 0` keeps the database from
 * first reading all messages that the account has ever read: a page or a badge needs only a few rows.
 */
export const isUnreadBy = (reader: string): RawBuilder<boolean> =>
  sql<boolean>`(messages.created_by <> ${reader}::uuid
    and messages.publish_at > coalesce(
      (select read_until from message_marks where account_id = ${reader}::uuid), '-infinity')
    and not exists (select from message_reads
      where message_id = messages.id and account_id = ${reader}::uuid offset 0))`;

/** The number of messages that a reader sees, of which at most `most` are counted for each of `waysTo`. */
export function countShownTo(reader: string, most: number, more = sql``): RawBuilder<number> {
  const counted = (to: RawBuilder<SqlBool>) => sql`(select count(*) from (
    select from messages where ${isShown} and ${to} ${more} limit ${sql.lit(most)}) as counted)`;
  return sql<number>`(${sql.join(waysTo(reader).map(counted), sql` + `)})`;
}

/** Number of unread messages, up to 100. The order makes the database read few if the account's mark leaves few. */
export function unreadMessagesOf(reader: string): RawBuilder<number> {
  const unread = sql`and ${isUnreadBy(reader)} order by publish_at desc`;
  return sql<number>`least(${sql.lit(MOST_UNREAD + 1)},
    ${countShownTo(reader, MOST_UNREAD + 1, unread)})`;
}

/** Marks a message as read; returns false if the reader cannot see it. */
export async function markMessageRead(tx: Tx, reader: string, id: string): Promise<boolean> {
  const message = await tx
    .selectFrom('messages')
    .select('id')
    .where('id', '=', id)
    .where(isShown)
    .where(isTo(reader))
    .executeTakeFirst();
  if (!message) return false;
  await tx
    .insertInto('message_reads')
    .values({ message_id: id, account_id: reader })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}

/** Marks all messages up to the newest that the reader sees now, but not those published in the meantime. */
export async function markAllMessagesRead(tx: Tx, reader: string): Promise<void> {
  await sql`
    insert into message_marks (account_id, read_until)
      select ${reader}::uuid, max(publish_at) from messages
        where ${isShown} and ${isTo(reader)} having max(publish_at) is not null
    on conflict (account_id) do update
      set read_until = greatest(message_marks.read_until, excluded.read_until)`.execute(tx);
}

export async function countUnreadMessages(db: Db, reader: string): Promise<number> {
  const found = await db.selectNoFrom(unreadMessagesOf(reader).as('count')).executeTakeFirst();
  return Number(found?.count);
}

import { MOST_UNREAD } from '@linekeeper/contract/messages.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';

/**
 * True for a message that is shown now. Its end is as it was chosen, however far ahead, so
 * `isReached` is not for it; the scheduled job follows within seconds.
 */
export const isShown = sql<SqlBool>`(messages.state = 'published'
  and (messages.expires_at is null or messages.expires_at > clock_timestamp()))`;

export const isTo = (reader: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(messages.is_global or messages.recipient_id = ${reader}::uuid)`;

/**
 * True for a message that the reader has not read. What one wrote oneself is read. `offset 0` keeps the
 * database from first reading all that the account has ever read: a page or a badge asks of few.
 */
export const isUnreadBy = (reader: string): RawBuilder<boolean> =>
  sql<boolean>`(messages.created_by <> ${reader}::uuid
    and messages.publish_at > coalesce(
      (select read_until from message_marks where account_id = ${reader}::uuid), '-infinity')
    and not exists (select from message_reads
      where message_id = messages.id and account_id = ${reader}::uuid offset 0))`;

/**
 * Counted up to 100: those to everyone and those to the reader, each along their own index. The order
 * keeps the database from reading all there are where the account's mark leaves few.
 */
export function unreadMessagesOf(reader: string): RawBuilder<number> {
  const counted = (to: RawBuilder<SqlBool>) => sql`(select count(*) from (
    select from messages where ${isShown} and ${to} and ${isUnreadBy(reader)}
      order by publish_at desc limit ${sql.lit(MOST_UNREAD + 1)}) as unread)`;
  return sql<number>`least(${sql.lit(MOST_UNREAD + 1)},
    ${counted(sql<SqlBool>`messages.is_global`)}
      + ${counted(sql<SqlBool>`messages.recipient_id = ${reader}::uuid`)})`;
}

/** False if the reader sees no such message. */
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

/** Up to the newest that the reader sees now, and not to what is published meanwhile. */
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

import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { MOST_UNREAD } from '@linekeeper/contract/messages.ts';
import type * as contract from '@linekeeper/contract/notifications.ts';
import { MAX_NOTIFICATION_CONTENT, type Notification } from '@linekeeper/contract/notifications.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isShown, isUnreadBy, unreadMessagesOf } from '../../core/messages.ts';
import {
  type InOrder,
  type Page,
  readWholePage,
  type SortColumn,
  UNCOUNTED,
} from '../../core/pages.ts';
import { fixedStatement } from '../../db/fixed-statement.ts';
import type { Db } from '../../db/transaction.ts';

type Query = Parsed<typeof contract.listNotifications>['query'];

const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'bell.created_at', type: 'timestamptz' },
};

type Row = Omit<Notification, 'created_at'> & { created_at: Date; sort_value: string };

const columns = [
  'bell.id',
  'bell.kind',
  'bell.title',
  'bell.content',
  'bell.link',
  'bell.is_read',
] as const;

/** The reader's notifications, messages to everyone and messages to the reader, each in its order. */
const bell = {
  name: 'bell',
  rows: (db: Db, { reader }: { reader: string }, inOrder: InOrder) => {
    const messagesTo = (to: RawBuilder<SqlBool>) =>
      db.selectFrom(
        sql<Row>`(
          select id, 'message' as kind, title,
            left(content, ${sql.lit(MAX_NOTIFICATION_CONTENT)}) as content,
            '/messages?message=' || id as link, not ${isUnreadBy(reader)} as is_read,
            publish_at as created_at
          from messages where ${isShown} and ${to})`.as('bell'),
      );
    const own = db
      .selectFrom('notifications as bell')
      .where(sql<SqlBool>`bell.account_id = ${reader}::uuid`);
    const toAll = messagesTo(sql<SqlBool>`messages.is_global`);
    const toReader = messagesTo(sql<SqlBool>`messages.recipient_id = ${reader}::uuid`);
    const parts = [own, toAll, toReader].map(
      (part) => sql`(${inOrder((part as typeof toAll).select(columns).select('bell.created_at'))})`,
    );
    return db
      .selectFrom(sql<Row>`(${sql.join(parts, sql` union all `)})`.as('bell'))
      .select(columns)
      .select(['bell.created_at', sql<string>`bell.created_at::text`.as('sort_value')]);
  },
};

/** Nobody asks how many there are in all. */
const uncounted = async () => UNCOUNTED;

export async function listNotifications(
  db: Db,
  reader: string,
  query: Query,
): Promise<Page<Notification>> {
  const request = { ...query, sort: '-created_at' };
  const list = { ...bell, values: { reader } };
  const page = await readWholePage(db, request, sortColumns, 'bell.id', list, uncounted);
  const items = page.items.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  return { ...page, items };
}

const askUnread = fixedStatement(['reader'], (db, { reader }) => {
  const most = sql.lit(MOST_UNREAD + 1);
  return db.selectNoFrom(
    sql<number>`least(${most}, ${unreadMessagesOf(reader)} + (select count(*) from (
      select from notifications where account_id = ${reader}::uuid and not is_read
        limit ${most}) as unread))`.as('count'),
  );
});

export async function countUnread(db: Db, reader: string): Promise<number> {
  const [found] = await askUnread(db, { reader });
  return Number(found?.count);
}

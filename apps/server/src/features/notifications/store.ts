import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { MOST_UNREAD } from '@linekeeper/contract/messages.ts';
import type * as contract from '@linekeeper/contract/notifications.ts';
import {
  MAX_NOTIFICATION_CONTENT,
  type Notification,
  type NotificationKind,
} from '@linekeeper/contract/notifications.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Db } from '../../db/transaction.ts';
import {
  isShown,
  isUnreadBy,
  textFor,
  unionOf,
  unreadMessagesOf,
  waysTo,
} from '../../domain/notices/messages.ts';
import {
  type InOrder,
  type Page,
  readWholePage,
  type SortColumn,
  uncounted,
} from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';

type Query = Parsed<typeof contract.listNotifications>['query'];

const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'bell.created_at', type: 'timestamptz' },
};

interface Listed {
  id: string;
  created_at: Date;
}

/**
 * The reader's notifications and messages. Each of `waysTo` is read in order along its own index; texts are read only
 * for the rows of the page.
 */
const bell = {
  name: 'bell',
  rows: (db: Db, { reader }: { reader: string }, inOrder: InOrder) => {
    const listed = ['bell.id', 'bell.created_at'] as const;
    const messagesTo = (to: RawBuilder<SqlBool>) =>
      sql<Listed>`(select id, publish_at as created_at from messages where ${isShown} and ${to})`;
    const parts = [
      inOrder(
        db
          .selectFrom('notifications as bell')
          .select(listed)
          .where(sql<SqlBool>`bell.account_id = ${reader}::uuid`),
      ),
      ...waysTo(reader).map((to) =>
        inOrder(db.selectFrom(messagesTo(to).as('bell')).select(listed)),
      ),
    ];
    const page = inOrder(db.selectFrom(unionOf(parts).as('bell')).select(listed));
    const content = sql`left(${textFor(reader, 'content')}, ${sql.lit(MAX_NOTIFICATION_CONTENT)})`;
    return db
      .selectFrom(page.as('bell'))
      .leftJoin('notifications as notice', 'notice.id', 'bell.id')
      .leftJoin('messages', 'messages.id', 'bell.id')
      .select([
        'bell.id',
        'bell.created_at',
        sql<NotificationKind>`coalesce(notice.kind, 'message')`.as('kind'),
        sql<string>`coalesce(notice.title, ${textFor(reader, 'title')})`.as('title'),
        sql<string>`coalesce(notice.content, ${content})`.as('content'),
        sql<string | null>`case when notice.id is null then '/messages?message=' || bell.id
          else notice.link end`.as('link'),
        sql<boolean>`coalesce(notice.is_read, not ${isUnreadBy(reader)})`.as('is_read'),
      ]);
  },
};

/** One page of the reader's notifications, newest first. Throws INVALID_CURSOR. */
export async function listNotifications(
  db: Db,
  reader: string,
  query: Query,
): Promise<Page<Notification>> {
  const request = { ...query, sort: '-created_at' };
  const list = { ...bell, values: { reader } };
  const page = await readWholePage(db, request, sortColumns, 'bell.id', list, uncounted);
  return { ...page, items: page.items.map(sentRow) };
}

const askUnread = compiledQuery(['reader'], (db, { reader }) => {
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

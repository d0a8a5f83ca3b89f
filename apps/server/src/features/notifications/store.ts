import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { MOST_UNREAD } from '@linekeeper/contract/messages.ts';
import type * as contract from '@linekeeper/contract/notifications.ts';
import { MAX_NOTIFICATION_CONTENT, type Notification } from '@linekeeper/contract/notifications.ts';
import { type SqlBool, sql } from 'kysely';
import { isShown, isTo, isUnreadBy, unreadMessagesOf } from '../../core/messages.ts';
import { type InOrder, type Page, readPage, type SortColumn } from '../../core/pages.ts';
import type { Db } from '../../db/transaction.ts';

type Query = Parsed<typeof contract.listNotifications>['query'];

const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'bell.created_at', type: 'timestamptz' },
};

interface Listed {
  id: string;
  created_at: Date;
}

/** The reader's notifications, messages to everyone and messages to the reader, each in its order. */
function matchBell(db: Db, reader: string) {
  return (inOrder: InOrder) => {
    const parts = [
      db
        .selectFrom('notifications as bell')
        .select(['bell.id', 'bell.created_at'])
        .where('account_id', '=', reader),
      ...[sql<SqlBool>`is_global`, sql<SqlBool>`recipient_id = ${reader}::uuid`].map((to) =>
        db
          .selectFrom(
            sql<Listed>`(select id, publish_at as created_at from messages where ${isShown} and ${to})`.as(
              'bell',
            ),
          )
          .select(['bell.id', 'bell.created_at']),
      ),
    ].map((part) => sql`(${inOrder(part)})`);
    return db.selectFrom(sql<Listed>`(${sql.join(parts, sql` union all `)})`.as('bell'));
  };
}

type Row = Omit<Notification, 'created_at'> & { created_at: Date };

function selectBell(db: Db, reader: string) {
  const rows = sql<Row>`(
    select id, kind, title, content, link, is_read, created_at from notifications
      where account_id = ${reader}::uuid
    union all
    select id, 'message', title, left(content, ${sql.lit(MAX_NOTIFICATION_CONTENT)}),
        '/messages?message=' || id, not ${isUnreadBy(reader)}, publish_at
      from messages where ${isShown} and ${isTo(reader)})`;
  return db
    .selectFrom(rows.as('bell'))
    .select([
      'bell.id',
      'bell.kind',
      'bell.title',
      'bell.content',
      'bell.link',
      'bell.is_read',
      'bell.created_at',
    ]);
}

export async function listNotifications(
  db: Db,
  reader: string,
  query: Query,
): Promise<Page<Notification>> {
  const request = { ...query, sort: '-created_at' };
  const matching = matchBell(db, reader);
  const page = await readPage(
    db,
    request,
    sortColumns,
    'bell.id',
    matching,
    selectBell(db, reader),
  );
  const items = page.items.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  return { ...page, items };
}

export async function countUnread(db: Db, reader: string): Promise<number> {
  const most = sql.lit(MOST_UNREAD + 1);
  const { count } = await db
    .selectNoFrom(
      sql<number>`least(${most}, ${unreadMessagesOf(reader)} + (select count(*) from (
        select from notifications where account_id = ${reader}::uuid and not is_read
          limit ${most}) as unread))`.as('count'),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

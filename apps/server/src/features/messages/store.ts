import { MOST_COUNTED, type Parsed } from '@linekeeper/contract/endpoint.ts';
import { messagesList } from '@linekeeper/contract/lists/lists.ts';
import type * as contract from '@linekeeper/contract/messages.ts';
import type { Message, MessageDetails } from '@linekeeper/contract/messages.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import {
  countShownTo,
  isShown,
  isTo,
  isUnreadBy,
  textFor,
  unionOf,
  waysTo,
} from '../../domain/notices/messages.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { likeFolded } from '../../platform/paging/escape-like.ts';
import { anyOf, filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import {
  asTotal,
  type InOrder,
  type Page,
  readPage,
  readWholePage,
} from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';

type Query = Parsed<typeof contract.listMessages>['query'];
type Messages = SelectQueryBuilder<Database, 'messages', object>;

const sortColumns: SortColumns<typeof messagesList> = {
  publish_at: { ref: 'messages.publish_at', type: 'timestamptz' },
};

const isOver = sql<SqlBool>`(messages.state = 'expired' or (messages.state = 'published'
  and messages.expires_at <= clock_timestamp()))`;

const inState = {
  published: isShown,
  scheduled: sql<SqlBool>`messages.state = 'scheduled'`,
  expired: isOver,
};

function filterMessages(db: Db, actor: SignedIn, query: Query): Messages {
  const asked = query.state ?? ['published'];
  const state = actor.is_admin ? asked : asked.filter((one) => one === 'published');
  return filtered(
    messagesList,
    db.selectFrom('messages'),
    { ...query, state },
    {
      state: (states) => anyOf(states.map((one) => inState[one])),
      unread: sql`${isTo(actor.id)} and ${isUnreadBy(actor.id)}`,
      q: (text) => sql<SqlBool>`messages.search like ${likeFolded(text)}`,
    },
  );
}

/** The reader's messages; each kind in `waysTo` is read along its own index. */
function toReader(db: Db, reader: string, found: Messages, inOrder: InOrder) {
  const parts = waysTo(reader).map((to) =>
    inOrder(found.select(['messages.id', 'messages.publish_at']).where(to)),
  );
  return db.selectFrom(unionOf(parts).as('messages'));
}

function selectMessages(db: Db, actor: Pick<SignedIn, 'id' | 'is_admin'>) {
  const nameOf = (account: string) =>
    actor.is_admin
      ? sql<string | null>`${accountName(account)}`
      : sql<string | null>`nullif(${sql.ref(`${account}.full_name`)}, '')`;
  return db
    .selectFrom('messages')
    .innerJoin('auth_users as author', 'author.id', 'messages.created_by')
    .leftJoin('auth_users as recipient', 'recipient.id', 'messages.recipient_id')
    .select([
      'messages.id',
      'messages.is_global',
      'messages.recipient_id',
      'messages.server_id',
      'messages.server_name',
      'messages.created_by',
      'messages.publish_at',
      'messages.expires_at',
      'messages.created_at',
    ])
    .select(textFor(actor.id, 'title').as('title'))
    .select(textFor(actor.id, 'content').as('content'))
    .select(nameOf('author').as('author_name'))
    .select(nameOf('recipient').as('recipient_name'))
    .select(
      sql<boolean>`not coalesce(${isTo(actor.id)} and ${isUnreadBy(actor.id)}, false)`.as(
        'is_read',
      ),
    )
    .select(
      sql<contract.MessageState>`case when ${isOver} then 'expired' else messages.state end`.as(
        'state',
      ),
    );
}
type Row = Awaited<ReturnType<ReturnType<typeof selectMessages>['execute']>>[number];

function toMessage(row: Row, { is_admin }: SignedIn): Message {
  return { ...sentRow(row), recipient_name: is_admin ? row.recipient_name : null };
}

/** The table of all messages that are shown to one account. */
const shownToReader = {
  name: 'messages to one',
  rows: (db: Db, { id }: { id: string }, inOrder: InOrder) => {
    const all = toReader(db, id, db.selectFrom('messages').where(isShown), inOrder);
    const page = inOrder(all.select(['messages.id', 'messages.publish_at']));
    return selectMessages(db, { id, is_admin: false }).where(
      sql<SqlBool>`messages.id = any(array(select id from (${page}) as page))`,
    );
  },
};

const countForReader = compiledQuery(['id'], (db, { id }) =>
  db.selectNoFrom(countShownTo(id, MOST_COUNTED + 1).as('count')),
);

function readMessages(db: Db, actor: SignedIn, query: Query): Promise<Page<Row>> {
  const { q, unread, state } = query;
  const { id, is_admin } = actor;
  const isOfShown = !state || state.join() === 'published';
  if (!is_admin && !q && unread === undefined && isOfShown) {
    const list = { ...shownToReader, values: { id } };
    const count = async () => asTotal((await countForReader(db, { id }))[0]?.count ?? 0);
    return readWholePage(db, query, sortColumns, 'messages.id', list, count);
  }
  const found = filterMessages(db, actor, query);
  const matching = is_admin ? found : (inOrder: InOrder) => toReader(db, id, found, inOrder);
  return readPage(db, query, sortColumns, 'messages.id', matching, selectMessages(db, actor));
}

/** One page of the messages that the actor can see. Throws INVALID_CURSOR. */
export async function listMessages(db: Db, actor: SignedIn, query: Query): Promise<Page<Message>> {
  const page = await readMessages(db, actor, query);
  return { ...page, items: page.items.map((row) => toMessage(row, actor)) };
}

/** Number of readers, including accounts that are banned or not confirmed, because they may read it later. */
async function countReaders(db: Db, message: Message) {
  const { id, created_by, recipient_id, server_id, publish_at } = message;
  // The readers of a message to accounts with lines on a server are fixed when it is published.
  const isReader = (account: string) => {
    if (!server_id) {
      return sql<SqlBool>`(${recipient_id}::uuid is null or ${sql.ref(account)} = ${recipient_id}::uuid)`;
    }
    return sql<SqlBool>`exists (select from message_readers
      where message_id = ${id}::uuid and message_readers.account_id = ${sql.ref(account)})`;
  };
  const { read_count, reader_count } = await db
    .selectNoFrom([
      sql<number>`(select count(*) from auth_users
        where id <> ${created_by}::uuid and ${isReader('auth_users.id')})`.as('reader_count'),
      sql<number>`(select count(*) from (
          select account_id from message_reads where message_id = ${id}::uuid
          union
          select account_id from message_marks where read_until >= ${publish_at}::timestamptz
            and ${isReader('message_marks.account_id')}
        ) as readers where account_id <> ${created_by}::uuid)`.as('read_count'),
    ])
    .executeTakeFirstOrThrow();
  const isOut = message.state !== 'scheduled';
  return { read_count: isOut ? Number(read_count) : 0, reader_count: Number(reader_count) };
}

/**
 * The message with this ID, as the actor sees it. Throws MESSAGE_NOT_FOUND, also for a message to others, and for one
 * that only administrators can see.
 */
export async function findMessage(db: Db, actor: SignedIn, id: string): Promise<MessageDetails> {
  let found = selectMessages(db, actor).where('messages.id', '=', id);
  if (!actor.is_admin) found = found.where(isShown).where(isTo(actor.id));
  const row = await found.executeTakeFirst();
  if (!row) return fail('MESSAGE_NOT_FOUND');
  const message = toMessage(row, actor);
  const isAuthor = message.created_by === actor.id;
  const uncounted = { read_count: null, reader_count: null };
  return { ...message, ...(isAuthor ? await countReaders(db, message) : uncounted) };
}

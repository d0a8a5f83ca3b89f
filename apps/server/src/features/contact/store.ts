import type * as contract from '@linekeeper/contract/contact.ts';
import type { ContactMessage } from '@linekeeper/contract/contact.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { contactList } from '@linekeeper/contract/lists/lists.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { secondsAgo } from '../../platform/clock.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import type { SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';

type ContactQuery = Parsed<typeof contract.listContact>['query'];
type Messages = SelectQueryBuilder<Database, 'contact_messages', object>;

const SPAM_KEPT_SECONDS = 30 * 24 * 60 * 60;

const sortColumns: SortColumns<typeof contactList> = {
  created_at: { ref: 'contact_messages.created_at', type: 'timestamptz' },
};

function selectMessages(db: Db) {
  return db
    .selectFrom('contact_messages')
    .leftJoin('auth_users as sender', 'sender.id', 'contact_messages.account_id')
    .leftJoin('auth_users as administrator', 'administrator.id', 'contact_messages.answered_by')
    .select([
      'contact_messages.id',
      'contact_messages.name',
      'contact_messages.email',
      'subject',
      'message',
      'account_id',
      'sender.email as account_email',
      'status',
      'contact_messages.created_at',
      'answer',
      'answered_at',
      'administrator.email as answered_by',
      'answer_is_mailed',
    ]);
}

function filterMessages(db: Db, { q, status }: Pick<ContactQuery, 'q' | 'status'>): Messages {
  const found: Messages = status
    ? db.selectFrom('contact_messages').where('contact_messages.status', 'in', status)
    : db.selectFrom('contact_messages').where('contact_messages.status', '<>', 'spam');
  if (!q) return found;
  const text = `%${escapeLike(q)}%`;
  const columns = ['name', 'email', 'subject', 'message'].map(
    (column) => sql<SqlBool>`fold(${sql.ref(`contact_messages.${column}`)}) like fold(${text})`,
  );
  return found.where((build) => build.or(columns));
}

export async function listContact(db: Db, query: ContactQuery): Promise<Page<ContactMessage>> {
  const matching = filterMessages(db, query);
  const rows = selectMessages(db);
  const page = await readPage(db, query, sortColumns, 'contact_messages.id', matching, rows);
  return { ...page, items: page.items.map(sentRow) };
}

/** Throws CONTACT_NOT_FOUND. */
export async function findContact(db: Db, id: string): Promise<ContactMessage> {
  const row = await selectMessages(db).where('contact_messages.id', '=', id).executeTakeFirst();
  return row ? sentRow(row) : fail('CONTACT_NOT_FOUND');
}

/** Deletes what was taken for spam, and by then would have been missed. */
export async function deleteOldSpam(db: Db): Promise<void> {
  await db
    .deleteFrom('contact_messages')
    .where('status', '=', 'spam')
    .where('created_at', '<=', secondsAgo(SPAM_KEPT_SECONDS))
    .execute();
}

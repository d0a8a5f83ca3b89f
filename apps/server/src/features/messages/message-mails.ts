import { defaultPreferences } from '@linekeeper/contract/lists/preferences.ts';
import { type SqlBool, sql } from 'kysely';
import { type Tx, transact } from '../../db/transaction.ts';
import type { Services } from '../../domain/context/context.ts';
import { mailQueue, queueMail } from '../../domain/mail/mail-queue.ts';

const AT_ONCE = 100;

/** Mails of these messages are wanted, of those who chose so. Without a mail server none is kept for later. */
export async function wishMails(
  tx: Tx,
  { mail }: Pick<Services, 'mail'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || !mail.isConfigured) return;
  const wishes = ids.map((message_id) => ({ message_id, last_account_id: null }));
  await tx.insertInto('message_mails').values(wishes).execute();
}

const wantsMails = sql<SqlBool>`coalesce(
  case jsonb_typeof(account_settings.value #> '{mails,message}')
    when 'boolean' then (account_settings.value #> '{mails,message}')::boolean end,
  ${sql.lit(defaultPreferences.mails.message)})`;

/** The next accounts, in the order of their ids, that get a mail of this message. */
async function nextReaders(tx: Tx, message_id: string, after: string | null): Promise<string[]> {
  let readers = tx
    .selectFrom('auth_users')
    .innerJoin('messages', (join) => join.on('messages.id', '=', message_id))
    .leftJoin('account_settings', 'account_settings.account_id', 'auth_users.id')
    .select('auth_users.id')
    .where('banned', '=', false)
    .whereRef('auth_users.id', '<>', 'messages.created_by')
    .where(sql<SqlBool>`(messages.is_global or messages.recipient_id = auth_users.id)`)
    .where(wantsMails)
    .orderBy('auth_users.id')
    .limit(AT_ONCE);
  if (after) readers = readers.where('auth_users.id', '>', after);
  return (await readers.execute()).map(({ id }) => id);
}

/** Queues the mails of one message, some at a time; false if there is none that another panel has not. */
async function queueSome(tx: Tx, services: Pick<Services, 'mail' | 'jobQueue'>): Promise<boolean> {
  const wish = await tx
    .selectFrom('message_mails')
    .selectAll()
    .orderBy('message_id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!wish) return false;
  const { message_id } = wish;
  const readers = services.mail.isConfigured
    ? await nextReaders(tx, message_id, wish.last_account_id)
    : [];
  for (const account_id of readers) {
    await queueMail(tx, services, { kind: 'notice', account_id, language: 'en', message_id });
  }
  if (readers.length < AT_ONCE) {
    await tx.deleteFrom('message_mails').where('message_id', '=', message_id).execute();
  } else {
    await tx
      .updateTable('message_mails')
      .set({ last_account_id: readers.at(-1) ?? null })
      .where('message_id', '=', message_id)
      .execute();
  }
  return true;
}

/**
 * Queues the mails of published messages. How far it came is kept in the transaction that queues them,
 * so however many panels do it and whenever one dies, nobody gets two.
 */
export async function queueMessageMails(
  services: Pick<Services, 'db' | 'mail' | 'jobQueue'>,
  isStopping = () => false,
): Promise<void> {
  let queued = false;
  while (!isStopping() && (await transact(services.db, (tx) => queueSome(tx, services)))) {
    queued = true;
  }
  if (queued) services.jobQueue.wake(mailQueue);
}

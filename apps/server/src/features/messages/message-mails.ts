import { defaultPreferences } from '@linekeeper/contract/lists/preferences.ts';
import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import type { Services } from '../../domain/context/context.ts';

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

/**
 * Queues the mails of published messages, for all readers who want them. However many panels do it and
 * whenever one dies, nobody gets two: a panel of 1.1.0 queues them in steps, and notes how far it came.
 */
export async function queueMessageMails({
  db,
  mail,
}: Pick<Services, 'db' | 'mail'>): Promise<void> {
  await sql`
    with wishes as (delete from message_mails returning message_id, last_account_id)
    insert into mails (mail)
      select jsonb_build_object('kind', 'notice', 'account_id', reader.id, 'language', 'en',
          'message_id', message_id)
        from wishes
        join messages on messages.id = message_id
        join auth_users reader on messages.is_global or messages.recipient_id = reader.id
          or exists (select from message_readers
            where message_readers.message_id = messages.id and account_id = reader.id)
        left join account_settings on account_settings.account_id = reader.id
        where ${mail.isConfigured}::boolean and not banned and reader.id <> messages.created_by
          and (last_account_id is null or reader.id > last_account_id)
          and ${wantsMails}
      on conflict do nothing`.execute(db);
}

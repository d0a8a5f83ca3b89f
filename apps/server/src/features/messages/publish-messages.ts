import { defaultPreferences } from '@linekeeper/contract/lists/preferences.ts';
import { type SqlBool, sql } from 'kysely';
import { type Tx, transact } from '../../db/transaction.ts';
import type { Services } from '../../domain/context/context.ts';
import { addReaders } from '../../domain/notices/messages.ts';

type PublishServices = Pick<Services, 'db' | 'mail'>;

/**
 * Notes who gets published messages, and that their mails are wanted, of those who chose so. Without a mail server
 * none is kept for later.
 */
export async function announce(
  tx: Tx,
  { mail }: Pick<Services, 'mail'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await addReaders(tx, ids);
  if (!mail.isConfigured) return;
  const wishes = ids.map((message_id) => ({ message_id, last_account_id: null }));
  await tx.insertInto('message_mails').values(wishes).execute();
}

const wantsMails = sql<SqlBool>`coalesce(
  case jsonb_typeof(account_settings.value #> '{mails,message}')
    when 'boolean' then (account_settings.value #> '{mails,message}')::boolean end,
  ${sql.lit(defaultPreferences.mails.message)})`;

/**
 * Queues the mails of published messages, for all readers who want them. However many panels do it and
 * whenever one dies, nobody gets two.
 */
export async function queueMessageMails({ db, mail }: PublishServices): Promise<void> {
  await sql`
    with wishes as (delete from message_mails returning message_id)
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
          and ${wantsMails}
      on conflict do nothing`.execute(db);
}

/**
 * Publishes what was scheduled, and ends what was shown until now. A message is published by the update that takes
 * it out of the state, so once, however many panels do it. One whose end passed while no panel ran is not shown any
 * more.
 */
export async function publishMessages({ db, mail }: PublishServices): Promise<number> {
  return transact(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      update messages set state = 'published', publish_at = clock_timestamp()
        where state = 'scheduled' and publish_at <= clock_timestamp()
          and (expires_at is null or expires_at > clock_timestamp())
        returning id`.execute(tx);
    await announce(
      tx,
      { mail },
      rows.map(({ id }) => id),
    );
    await sql`update messages set state = 'expired'
      where state in ('scheduled', 'published') and expires_at <= clock_timestamp()`.execute(tx);
    return rows.length;
  });
}

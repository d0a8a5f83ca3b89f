import { defaultPreferences } from '@linekeeper/contract/lists/preferences.ts';
import type * as contract from '@linekeeper/contract/messages.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Tx, transact } from '../../db/transaction.ts';
import { readAccount } from '../../domain/accounts/accounts.ts';
import { messageSubject } from '../../domain/audit/audit-subjects.ts';
import type { Services } from '../../domain/context/context.ts';
import { addReaders } from '../../domain/notices/messages.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { endOf, startOfDay } from '../../platform/clock.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { findMessage } from './store.ts';

type Body = Parameters<(typeof createMessage)['commit']>[2]['body'];

/**
 * The name of the server, if the message is to the accounts with lines on one. Throws RECIPIENT_NEEDED unless there is
 * exactly one kind of recipient, SERVER_NOT_FOUND and USER_NOT_FOUND.
 */
async function checkRecipient(tx: Tx, body: Body): Promise<string | null> {
  const { is_global, recipient_id, server_id } = body;
  const kinds = [is_global, recipient_id, server_id].filter(Boolean).length;
  if (kinds !== 1) failField(server_id ? 'server_id' : 'recipient_id', 'RECIPIENT_NEEDED');
  if (server_id) {
    const server = await tx
      .selectFrom('cccam_servers')
      .select('server_name')
      .where('id', '=', server_id)
      .executeTakeFirst();
    return server?.server_name ?? fail('SERVER_NOT_FOUND');
  }
  if (recipient_id) (await readAccount(tx, 'id', recipient_id, ['id'])) ?? fail('USER_NOT_FOUND');
  return null;
}

/**
 * The moments from and until which a message is shown, by the database's clock. A moment that has passed counts as now.
 * Throws ENDS_BEFORE_IT_BEGINS.
 */
async function readTimes(tx: Tx, { publish_at, expires_at }: Body, time_zone: string) {
  const now = sql<Date>`clock_timestamp()`;
  const begins: RawBuilder<Date> = !publish_at
    ? now
    : 'day' in publish_at
      ? startOfDay(publish_at.day, time_zone)
      : sql<Date>`${publish_at.moment}::timestamptz`;
  const ends = expires_at ? endOf(expires_at, time_zone) : sql<Date | null>`null::timestamptz`;
  const times = await tx
    .selectNoFrom([
      sql<Date>`greatest(${begins}, ${now})`.as('publish_at'),
      sql<Date | null>`${ends}`.as('expires_at'),
      sql<boolean>`${begins} > ${now}`.as('is_later'),
    ])
    .executeTakeFirstOrThrow();
  if (times.expires_at && times.expires_at <= times.publish_at) {
    failField('expires_at', 'ENDS_BEFORE_IT_BEGINS');
  }
  return times;
}

export const createMessage: Mutation<typeof contract.createMessage, { id: string }> = {
  audit: { action: 'message.create', subject: messageSubject, made: ({ id }) => id },
  commit: async (tx, { actor, config, mail }, { body }) => {
    const server_name = await checkRecipient(tx, body);
    const { publish_at, expires_at, is_later } = await readTimes(tx, body, config.time_zone);
    const { title, content, is_global, recipient_id = null, server_id = null, texts } = body;
    const id = newId();
    await tx
      .insertInto('messages')
      .values({
        id,
        title,
        content,
        is_global,
        recipient_id,
        server_id,
        server_name,
        texts: texts ? JSON.stringify(texts) : null,
        created_by: actor.id,
        publish_at,
        expires_at,
        state: is_later ? 'scheduled' : 'published',
      })
      .execute();
    if (!is_later) await announce(tx, { mail }, [id]);
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({ message: await findMessage(db, actor, id) }),
};

type PublishServices = Pick<Services, 'db' | 'mail'>;

/**
 * Stores the readers of published messages, and queues emails for those who chose them. Without a mail server none is
 * kept for later.
 */
async function announce(
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
 * Queues the emails of published messages, for all readers who want them. No reader gets two, even
 * if several panels do this or one ends in between.
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
 * Publishes scheduled messages that are due, and ends those whose time is over. The update of the
 * state is what publishes a message, so it happens once, even with several panels. A message whose
 * end passed while no panel ran is not shown.
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

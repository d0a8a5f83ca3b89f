import type * as contract from '@linekeeper/contract/messages.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { messageSubject } from '../../domain/audit/audit-subjects.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { endOf, startOfDay } from '../../platform/clock.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { wishMails } from './message-mails.ts';
import { findMessage } from './store.ts';

type Body = Parameters<(typeof createMessage)['commit']>[2]['body'];

async function refuseWrongRecipient(tx: Tx, { is_global, recipient_id }: Body): Promise<void> {
  if (is_global === Boolean(recipient_id)) failField('recipient_id', 'RECIPIENT_NEEDED');
  if (!recipient_id) return;
  const recipient = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', recipient_id)
    .executeTakeFirst();
  if (!recipient) fail('USER_NOT_FOUND');
}

/** When it is shown and until when, by the database's clock. A moment that has passed is now. */
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
    await refuseWrongRecipient(tx, body);
    const { publish_at, expires_at, is_later } = await readTimes(tx, body, config.time_zone);
    const { title, content, is_global, recipient_id = null } = body;
    const id = newId();
    await tx
      .insertInto('messages')
      .values({
        ...{ id, title, content, is_global, recipient_id, created_by: actor.id },
        ...{ publish_at, expires_at, state: is_later ? 'scheduled' : 'published' },
      })
      .execute();
    if (!is_later) await wishMails(tx, { mail }, [id]);
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({ message: await findMessage(db, actor, id) }),
};

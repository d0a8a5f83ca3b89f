import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { seededAccount } from './lines.ts';
import { BUSY_ACCOUNT } from './records.ts';
import { writeSeed } from './write.ts';

interface TalkSize {
  accounts: number;
  tickets: number;
  messages: number;
}

const REPLIES = 20;

const scattered = (purpose: number, below: number) =>
  sql.raw(`(hashint8extended(n, ${purpose}) & 9223372036854775807) % ${below}`);
const accountNumber = (number: unknown) =>
  sql`('0190000a-0000-7000-8000-' || lpad(to_hex(${number}::bigint), 12, '0'))::uuid`;
const madeId = (purpose: string) => sql`md5(${purpose} || n)::uuid`;
const admin = sql`${seededAccount(1)}::uuid`;

/**
 * Writes tickets with twenty replies each, messages of which one in a hundred is for everyone, and as many
 * notifications. One in twenty of all belongs to the busy account, and half of the rows for one account are read.
 */
export async function seedTalk(db: Db, { accounts, tickets, messages }: TalkSize): Promise<void> {
  const someone = sql`case when ${scattered(41, 20)} = 0 then ${seededAccount(BUSY_ACCOUNT)}::uuid
    else ${accountNumber(sql`3 + ${scattered(42, accounts - 2)}`)} end`;
  const text = sql`'The picture freezes on some channels since the evening, box ' || n`;
  const at = (count: number) => sql`now() - (${count} - n) * interval '4 minutes'`;
  const numbers = (count: number) =>
    sql`generate_series(1::bigint, ${sql.lit(count)}::bigint) as n`;
  await writeSeed(
    db,
    async (tx) => {
      await sql`
      insert into tickets (id, number, title, description, status, priority, user_id, assigned_to,
        created_at, updated_at, last_shown, last_position, replies, last_writer_id)
      select ${madeId('ticket')}, 1000 + n, 'Freezing ' || n, ${text},
        (array['open', 'in_progress', 'pending', 'closed'])[1 + ${scattered(43, 4)}],
        (array['low', 'medium', 'high', 'urgent'])[1 + ${scattered(44, 4)}],
        ${someone}, case when ${scattered(45, 2)} = 0 then ${admin} end,
        ${at(tickets)}, ${at(tickets)}, ${sql.lit(REPLIES)}, ${sql.lit(REPLIES)}, ${sql.lit(REPLIES)},
        ${admin}
      from ${numbers(tickets)}`.execute(tx);
      // No trigger runs, so the number is set here.
      await sql`update ticket_numbers set tickets = (select count(*) from tickets)`.execute(tx);
      await sql`
      insert into ticket_replies (id, ticket_id, position, kind, user_id, is_admin, content, created_at)
      select md5('reply' || number || ' ' || position)::uuid, id, position, 'reply',
        case when position % 2 = 0 then ${admin} else user_id end, position % 2 = 0,
        'Answer ' || position || ' to box ' || number, created_at
      from tickets, generate_series(1, ${sql.lit(REPLIES)}) as position`.execute(tx);
      await sql`
      insert into ticket_reads (ticket_id, account_id, read_to, is_current)
      select id, reader, ${sql.lit(REPLIES)}, true from tickets, lateral (values (user_id), (${admin})) as r (reader)
      where number % 2 = 0 on conflict do nothing`.execute(tx);
      await sql`
      insert into messages (id, title, content, is_global, recipient_id, created_by, state, publish_at,
        created_at)
      select ${madeId('message')}, 'News ' || n, ${text}, n % 100 = 0,
        case when n % 100 > 0 then ${someone} end, ${admin}, 'published', ${at(messages)}, ${at(messages)}
      from ${numbers(messages)}`.execute(tx);
      await sql`
      insert into message_reads (message_id, account_id)
      select id, recipient_id from messages
      where recipient_id is not null and hashtext(id::text) % 2 = 0`.execute(tx);
      await sql`
      insert into notifications (id, account_id, kind, title, content, link, is_read, created_at)
      select ${madeId('notice')}, ${someone}, 'mail', 'Low balance', ${text}, '/payments/pricing',
        ${scattered(46, 2)} = 0, ${at(messages)}
      from ${numbers(messages)}`.execute(tx);
    },
    ['tickets', 'ticket_replies', 'ticket_reads', 'messages', 'message_reads', 'notifications'],
  );
}

import type { Day } from '@linekeeper/contract/dates.ts';
import { MOST_CUSTOMER_MAILS } from '@linekeeper/contract/lines/reminders.ts';
import { MAX_REMINDER_DAY } from '@linekeeper/contract/lists/preferences.ts';
import { type SqlBool, sql } from 'kysely';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import type { Services } from '../../../domain/context/context.ts';
import { isReminded } from '../../../domain/lines/customer-reminders.ts';
import { queueMails } from '../../../domain/notices/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { consumeLimit, isWindowOver, limitOf, readLimit } from '../../../platform/rate-limit.ts';

/** Emails to customers per account, whose addresses are what sellers type. */
const customerMailsLimit = limitOf('customer-mails', MOST_CUSTOMER_MAILS, 24 * 60 * 60);
const LINES_AT_ONCE = 500;

/** The day and the hour of the panel's time zone. */
export interface Clock {
  day: Day;
  hour: number;
}

const mails = sql`settings.value -> 'customer_mails'`;
const quietFrom = sql`(${mails} -> 'hours' ->> 0)::integer`;
const quietUntil = sql`(${mails} -> 'hours' ->> 1)::integer`;

/**
 * Lines whose customers are due for an email now, each with the day of its series: the latest that has come. An earlier
 * day of the same expiry is not made up after a later one.
 */
function linesDue(db: Db, { day, hour }: Clock) {
  const dueDay = sql<number | null>`(select min(before::integer)
    from jsonb_array_elements_text(${mails} -> 'days') as before
    where before::integer >= users.expiry_date - ${day}::date)`;
  return db
    .selectFrom('users')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .innerJoin('account_settings as settings', 'settings.account_id', 'users.owner_id')
    .where(isReminded)
    .where('owner.banned', '=', false)
    .where(sql<SqlBool>`not exists (select from rate_limits where scope = ${customerMailsLimit.scope}
      and subject = users.owner_id::text and count >= ${customerMailsLimit.failures} and not ${isWindowOver})`)
    .where(
      sql<SqlBool>`users.expiry_date between ${day}::date and ${day}::date + ${MAX_REMINDER_DAY}::integer`,
    )
    .where(sql<SqlBool>`jsonb_typeof(${mails}) = 'object'`)
    .where(sql<SqlBool>`not case when ${quietFrom} <= ${quietUntil}
      then ${hour}::integer >= ${quietFrom} and ${hour}::integer < ${quietUntil}
      else ${hour}::integer >= ${quietFrom} or ${hour}::integer < ${quietUntil} end`)
    .where(sql<SqlBool>`${dueDay} is not null and not exists (select from reminders
      where reminders.line_id = users.id and reminders.expiry_date = users.expiry_date
        and reminders.way = 'mail' and reminders.day <= ${dueDay})`)
    .select(['users.id', 'users.owner_id', 'users.expiry_date', dueDay.as('day')]);
}

type Due = Awaited<ReturnType<ReturnType<typeof linesDue>['execute']>>[number];

/** Queues the email of one line with its row, which is unique: of two panels one queues it. */
async function remindOne(
  tx: Tx,
  services: Services,
  { id: line_id, owner_id, expiry_date, day }: Due,
): Promise<boolean> {
  const id = newId();
  const noted = await tx
    .insertInto('reminders')
    .values({ id, line_id, expiry_date, day, way: 'mail' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!noted) return false;
  await consumeLimit(tx, customerMailsLimit, owner_id);
  await queueMails(tx, services, [
    { kind: 'customer_reminder', account_id: owner_id, message_id: id, language: 'en' },
  ]);
  return true;
}

/**
 * Reminds customers of their lines' expiry by email, for sellers that turned it on; each (line, expiry, day) once. Returns
 * the number of emails. Without a mail server nothing is due.
 */
export async function remindCustomers(
  services: Services,
  clock: Clock,
  isStopping = () => false,
): Promise<number> {
  const { db, mail } = services;
  let reminded = 0;
  if (!mail.isConfigured) return reminded;
  const due = await linesDue(db, clock)
    .orderBy('users.expiry_date')
    .orderBy('users.id')
    .limit(LINES_AT_ONCE)
    .execute();
  for (const [owner_id, lines] of Map.groupBy(due, (line) => line.owner_id)) {
    for (const line of lines) {
      if (isStopping()) return reminded;
      if ((await readLimit(db, customerMailsLimit, owner_id)) > 0) break;
      if (await transact(db, (tx) => remindOne(tx, services, line))) reminded += 1;
    }
  }
  return reminded;
}

/** The hour of a time zone now. */
export function hourOf(time_zone: string): number {
  const form = { hour: '2-digit', hourCycle: 'h23', timeZone: time_zone } as const;
  return Number(new Intl.DateTimeFormat('en-GB', form).format());
}

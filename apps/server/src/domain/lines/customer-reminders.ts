import { formatDay } from '@linekeeper/contract/dates.ts';
import { type Language, languages } from '@linekeeper/contract/languages.ts';
import type { unsentReasons } from '@linekeeper/contract/lines/reminders.ts';
import { factsOf, fillText, textOf } from '@linekeeper/contract/text/own-texts.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { isSameSecret, type Secrets } from '../../platform/keys/secrets.ts';
import { everything } from '../context/access.ts';
import type { Services } from '../context/context.ts';
import { readPageLink } from './line-pages.ts';
import { findForReceivers } from './line-servers.ts';
import { paymentOfLine, toPayment } from './payments.ts';
import { readWording } from './seller-texts.ts';

/** SQL condition: the emails to the address of this line were stopped. Capitals make no other address. */
export const isStopped = sql<boolean>`coalesce(
  lower(users.reminders_stopped_for) = lower(users.email), false)`;

/** SQL condition: emails may remind the customer of this line of its expiry. */
export const isReminded = sql<SqlBool>`(users.email is not null and not users.is_trial
  and users.suspension is null and not ${isStopped})`;

const signatureOf = (secrets: Secrets, line_id: string, email: string) =>
  secrets.signLink(`stop-reminders ${line_id} ${email.toLowerCase()}`);

/** The token in the link by which a customer stops the emails about a line. It is for one address. */
const stopToken = (secrets: Secrets, line_id: string, email: string) =>
  `${line_id}.${signatureOf(secrets, line_id, email)}`;

/** The id of the line that a token names; null if the text does not have the form of a token. */
export function lineOfStopToken(token: string): string | null {
  const [id = ''] = token.split('.', 1);
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null;
}

export const isStopToken = (secrets: Secrets, token: string, line_id: string, email: string) =>
  isSameSecret(token, stopToken(secrets, line_id, email));

/** Notes why an email was not sent. */
export const noteUnsent = (db: Db, id: string, reason: (typeof unsentReasons)[number]) =>
  db.updateTable('reminders').set({ reason }).where('id', '=', id).execute();

/**
 * The email of a reminder in the words of the line's owner; null if it is no longer due: the line was renewed, suspended,
 * given to another account, or its customer stopped the emails; or its owner is banned. The password is in none.
 */
export async function readCustomerReminder(
  db: Db,
  services: Pick<Services, 'auth' | 'secrets'> & { seller_id: string },
  id: string,
) {
  const { secrets, seller_id } = services;
  const line = await db
    .selectFrom('reminders')
    .innerJoin('users', 'users.id', 'reminders.line_id')
    .innerJoin('auth_users as seller', 'seller.id', 'users.owner_id')
    .selectAll('users')
    .select([
      'seller.full_name as seller',
      'seller.email as reply_to',
      paymentOfLine(seller_id).as('payment'),
    ])
    .where('reminders.id', '=', id)
    .where('users.owner_id', '=', seller_id)
    .whereRef('users.expiry_date', '=', 'reminders.expiry_date')
    .where('seller.banned', '=', false)
    .where(isReminded)
    .executeTakeFirst();
  if (!line?.email) return null;
  const { servers } = await findForReceivers(db, everything, line.id);
  const { texts, plan, language: chosen } = await readWording(db, line.id);
  const language: Language = languages.find((one) => one === chosen) ?? 'en';
  const facts = factsOf(
    {
      ...line,
      payment: toPayment(line.payment),
      password: undefined,
      page: await readPageLink(services, db, line.id),
      plan,
      servers,
    },
    language,
  );
  const { username, email: to, expiry_date, seller, reply_to } = line;
  return {
    to,
    language,
    reply_to,
    seller,
    username,
    expiry: formatDay(expiry_date),
    content: fillText(textOf(texts, 'reminder', language), facts),
    stop_token: stopToken(secrets, line.id, to),
  };
}

import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { CUSTOMERS_KEPT_DAYS } from '@linekeeper/contract/lines/customers.ts';
import {
  defaultPreferences,
  mailedNotices,
  type Preferences,
  preferences,
} from '@linekeeper/contract/lists/preferences.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { notices as declared, type NoticeEvent, type NoticeFacts, noticeText } from './notices.ts';

/** The page where administrators read contact messages. */
export const CONTACT_INBOX = '/support/contact';
/** The beginning of the links of all notices about tickets. */
export const TICKETS = '/tickets/';
const KEPT_DAYS = 90;
/**
 * The beginning of the keys of notices about orders. Their emails have a separate limit, because anyone may place many
 * orders.
 */
export const ORDERED = 'ordered ';

export type Notice = {
  [Event in NoticeEvent]: {
    event: Event;
    facts: NoticeFacts[Event];
    account_id: string;
    /** The page of the panel to open. */
    link: string;
    /** A key with which the account is notified only once. */
    said_once?: string;
  };
}[NoticeEvent];

const mailKinds = mailedNotices.map(({ name }) => name);

/**
 * The kinds of email that an account wants, from its stored choices. An account that had turned off
 * all kinds does not want kinds that were added later.
 */
export function mailChoices(stored: unknown): Preferences['mails'] {
  const given = (stored ?? {}) as Record<string, unknown>;
  const chosen = mailKinds.flatMap((kind) => {
    const wanted = given[kind];
    return typeof wanted === 'boolean' ? [[kind, wanted] as const] : [];
  });
  const wantsNone = chosen.length > 1 && !chosen.some(([, wanted]) => wanted);
  const others = wantsNone ? mailKinds.map((kind) => [kind, false] as const) : [];
  return { ...defaultPreferences.mails, ...Object.fromEntries([...others, ...chosen]) };
}

/** The kinds of notice that an account wants as a push, from its stored choices. */
export const pushChoices = (stored: unknown): Preferences['pushes'] => ({
  ...defaultPreferences.pushes,
  ...preferences.shape.pushes.partial().safeParse(stored).data,
});

/** Columns of `account_settings`: the language and the mails that the account chose. */
export const chosenColumns = [
  sql<string | null>`account_settings.value ->> 'language'`.as('language'),
  sql<unknown>`account_settings.value -> 'mails'`.as('mails'),
] as const;

interface Chosen {
  language: Language;
  mails: Preferences['mails'];
  pushes: Preferences['pushes'];
}

async function readChosen(tx: Tx, accountIds: readonly string[]): Promise<Map<string, Chosen>> {
  const rows = await tx
    .selectFrom('account_settings')
    .select('account_id')
    .select(chosenColumns)
    .select(sql<unknown>`value -> 'pushes'`.as('pushes'))
    .where(sql<SqlBool>`account_id = any(${accountIds}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ account_id, language, mails, pushes }) => {
      const known = languages.find((name) => name === language) ?? 'en';
      const chosen = { mails: mailChoices(mails), pushes: pushChoices(pushes) };
      return [account_id, { language: known, ...chosen }];
    }),
  );
}

function isMailed(event: NoticeEvent, chosen: Chosen | undefined): boolean {
  const choice = declared[event].mail;
  return choice !== null && (chosen?.mails ?? defaultPreferences.mails)[choice];
}

function isPushed(event: NoticeEvent, chosen: Chosen | undefined): boolean {
  const choice = declared[event].push;
  return choice !== null && (chosen?.pushes ?? defaultPreferences.pushes)[choice];
}

/**
 * SQL statement that queues notifications for the browsers of their accounts whose sessions have not expired. A browser
 * that is just being signed out is left out, because waiting for it could fail the transaction.
 */
const queuePushes = (written: RawBuilder<unknown>) => sql`
  insert into web_pushes (notification_id, subscription_id)
    select written.id, push_subscriptions.id
      from ${written} join push_subscriptions using (account_id)
        join auth_sessions on auth_sessions.id = session_id
      where expires_at > now()
      for key share of push_subscriptions skip locked`;

/**
 * SQL statement that queues the emails of notifications. Other people can cause any number of those
 * about their texts, so such emails are gathered.
 * @param written the notifications' id, account_id and link
 */
export const queueNotices = (written: RawBuilder<unknown>) => sql`
  insert into mails (is_gathered, mail)
    select starts_with(link, ${TICKETS}) or link = ${CONTACT_INBOX},
        jsonb_build_object('kind', 'notice', 'account_id', account_id, 'language', 'en',
          'notification_id', id)
      from ${written}
    on conflict do nothing`;

/**
 * Notifies accounts, each in its language and by email and push if it chose so, in the transaction that causes it. Open
 * pages and the loops that send get it with the commit. Returns the number of notifications written.
 */
export async function notify(tx: Tx, notices: readonly Notice[]): Promise<number> {
  if (notices.length === 0) return 0;
  const chosen = await readChosen(tx, [...new Set(notices.map(({ account_id }) => account_id))]);
  const given = notices.map(({ account_id, event, facts, link, said_once = null }) => ({
    id: newId(),
    account_id,
    kind: declared[event].kind,
    ...noticeText(chosen.get(account_id)?.language ?? 'en', event, facts as never),
    link,
    said_once,
    is_mailed: isMailed(event, chosen.get(account_id)),
    is_pushed: isPushed(event, chosen.get(account_id)),
  }));
  const { rows } = await sql<{ number: number }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as notice (
        id uuid, account_id uuid, kind text, title text, content text, link text, said_once text,
        is_mailed boolean, is_pushed boolean)),
    written as (
      insert into notifications (id, account_id, kind, title, content, link, said_once)
        select id, account_id, kind, title, content, link, said_once from given
        on conflict (account_id, said_once) do nothing
        returning id, account_id, link),
    mailed as (${queueNotices(sql`written where id in (select id from given where is_mailed)`)}),
    pushed as (${queuePushes(sql`(select * from written
      where id in (select id from given where is_pushed)) as written`)})
    select count(*)::integer as number from written`.execute(tx);
  return rows[0]?.number ?? 0;
}

/** Ids of the administrators who are not banned. */
export async function readAdministrators(tx: Tx): Promise<string[]> {
  const administrators = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('is_admin', '=', true)
    .where('banned', '=', false)
    .execute();
  return administrators.map(({ id }) => id);
}

export async function notifyAdministrators<Event extends NoticeEvent>(
  tx: Tx,
  notice: { event: Event; facts: NoticeFacts[Event]; link: string; said_once?: string },
): Promise<void> {
  const ids = await readAdministrators(tx);
  await notify(
    tx,
    ids.map((account_id) => ({ ...notice, account_id }) as unknown as Notice),
  );
}

/** Deletes old notifications. A notification that links to a list of customers is kept for as long as that list. */
export async function deleteOldNotifications(db: Db): Promise<void> {
  await sql`delete from notifications
    where created_at < now() - make_interval(days => case
      when link like '/users/tell/%' then ${CUSTOMERS_KEPT_DAYS} else ${KEPT_DAYS} end::integer)
  `.execute(db);
}

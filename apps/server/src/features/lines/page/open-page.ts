import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { type SqlBool, sql } from 'kysely';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { hashOfToken } from '../../../domain/accounts/one-time-tokens.ts';
import type { Services } from '../../../domain/context/context.ts';
import { isReaddressed } from '../../../domain/lines/changed-addresses.ts';
import { isStopToken, lineOfStopToken } from '../../../domain/lines/customer-reminders.ts';
import type { CustomerPages, PageReply, Visit } from '../../../domain/lines/line-pages.ts';
import { notify } from '../../../domain/notices/notify.ts';
import { negotiateLanguage } from '../../../platform/mail/negotiate-language.ts';
import { customerPagesLimit, enforceLimit } from '../../../platform/rate-limit.ts';
import { keepsCustomers } from '../jobs/jobs-store.ts';
import { readPageFacts } from './page-facts.ts';
import { linePage, messagePage, pageStyle, previewPage, stopPage } from './page-html.ts';

/** The agents of messengers and search engines, which look at each link that is sent; Cubot makes phones. */
const PREVIEW = /(?<!cu)bot\b|preview|externalhit|crawl|spider|^whatsapp|^viber|slurp/i;

/** The language that the address names, or else the customer's own if it is known, or else the browser's. */
const languageOf = ({ lang, accepted }: Visit, own?: string | null): Language =>
  languages.find((language) => language === lang) ??
  languages.find((language) => language === own) ??
  negotiateLanguage(accepted ?? null);

/** Pages of banned sellers are not found. */
const findPage = (db: Db, token: string) =>
  db
    .selectFrom('line_pages')
    .innerJoin('users', 'users.id', 'line_pages.line_id')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .select(['users.id', 'users.language', 'users.suspension', 'owner.full_name'])
    .where('line_pages.token_hash', '=', hashOfToken(token))
    .where('owner.banned', '=', false)
    .executeTakeFirst();

/**
 * The page of this token. Unknown, old and withdrawn tokens have the same reply, and count for the visitor's network. Throws
 * TOO_MANY_ATTEMPTS.
 */
async function pageOf({ db }: Services, { token, network }: Visit) {
  const page = await findPage(db, token);
  if (!page) await enforceLimit(db, customerPagesLimit, network);
  return page;
}

/** Notes that the customer has seen the page, and with it the address that the line has now. */
async function noteOpened(tx: Tx, line_id: string): Promise<void> {
  await sql`update line_pages set opened_at = now() where line_id = ${line_id}
    and (opened_at between now() - interval '1 minute' and now()) is not true`.execute(tx);
  await sql`insert into told_customers (job_id, line_id)
    select job_id, line_id from job_items
      where line_id = ${line_id} and jsonb_exists(before, 'receivers') and ${isReaddressed}
        and exists (select from jobs where jobs.id = job_items.job_id and ${keepsCustomers})
    on conflict do nothing`.execute(tx);
}

/** The page of a line, as its customer sees it. Throws TOO_MANY_ATTEMPTS. */
async function showPage(services: Services, visit: Visit): Promise<PageReply> {
  const page = await pageOf(services, visit);
  if (!page) return { status: 404, html: messagePage('gone', languageOf(visit)) };
  const language = languageOf(visit, page.language);
  if (PREVIEW.test(visit.userAgent ?? '')) return { status: 200, html: previewPage(language) };
  if (!visit.isHead) await transact(services.db, (tx) => noteOpened(tx, page.id));
  const facts = await readPageFacts(services, { ...page, language });
  return { status: 200, html: linePage(facts, { token: visit.token, language }) };
}

/** SQL condition: the customer has not asked today, or the line was renewed since. */
const mayAsk = ({ config, today }: Services) =>
  sql<SqlBool>`(asked_expiry is distinct from users.expiry_date
    or (asked_at at time zone ${config.time_zone})::date <> ${today()})`;

/**
 * Asks the seller for a renewal, at most once a day; a further request changes nothing. For a suspended line nothing is
 * asked, because it waits for its seller. Returns null once it is done, or the reply for a page that does not exist.
 * Throws TOO_MANY_ATTEMPTS.
 */
async function askForRenewal(services: Services, visit: Visit): Promise<PageReply | null> {
  const page = await pageOf(services, visit);
  if (!page) return { status: 404, html: messagePage('gone', languageOf(visit)) };
  await transact(services.db, async (tx) => {
    const asked = await tx
      .updateTable('line_pages')
      .from('users')
      .set({ asked_at: sql<Date>`now()`, asked_expiry: sql<string>`users.expiry_date` })
      .whereRef('users.id', '=', 'line_pages.line_id')
      .where('line_id', '=', page.id)
      .where('users.suspension', 'is', null)
      .where(mayAsk(services))
      .returning(['users.owner_id', 'users.username', 'users.name', 'users.expiry_date'])
      .executeTakeFirst();
    if (!asked) return;
    const { owner_id: account_id, ...facts } = asked;
    const link = `/users/edit/${page.id}`;
    await notify(tx, [{ event: 'renewal_asked', facts, account_id, link }]);
  });
  return null;
}

/**
 * The page of the link in a reminder. A press stops the emails to the address that got the link, which is a proof that its
 * reader may; a further one changes nothing.
 */
async function stopReminders(
  { db, secrets }: Services,
  visit: Visit,
  isPressed: boolean,
): Promise<PageReply> {
  const id = lineOfStopToken(visit.token);
  const line = await db
    .selectFrom('users')
    .select(['email', 'language'])
    .where('id', '=', id)
    .executeTakeFirst();
  const language = languageOf(visit, line?.language);
  if (!id || !line?.email || !isStopToken(secrets, visit.token, id, line.email)) {
    return { status: 404, html: messagePage('no_stop', languageOf(visit)) };
  }
  if (!isPressed) return { status: 200, html: stopPage(language) };
  await db
    .updateTable('users')
    .set({ reminders_stopped_for: line.email })
    .where('id', '=', id)
    .where('email', '=', line.email)
    .execute();
  return { status: 200, html: messagePage('stopped', language) };
}

export const customerPages: CustomerPages = {
  style: pageStyle,
  show: showPage,
  ask: askForRenewal,
  stop: stopReminders,
  message: (kind, visit) => messagePage(kind, languageOf(visit)),
};

import { type Day, formatDay } from '@linekeeper/contract/dates.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import {
  type MailedNotice,
  type PushedNotice,
  pushedNotices,
} from '@linekeeper/contract/lists/preferences.ts';
import type { NotificationKind } from '@linekeeper/contract/notifications.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

/** The texts of notices. Polish and Portuguese avoid addressing the reader. */
const texts: Record<Language, typeof en> = { en, de, pl, pt };

interface Amount {
  minor: number;
  currency: string;
}

interface ChangedCredits {
  amount: number;
  /** The balance afterwards; null for administrators, whose credits are not counted. */
  balance: number | null;
  note: string | null;
}

interface Written {
  number: number;
  title: string;
  /** The name of the account that wrote the reply. */
  name: string;
  text: string;
}

interface SeenNetworks {
  username: string;
  connections: number;
  networks: number;
  allowed: number;
}

interface NumberedCredits {
  number: string;
  credits: number;
}

interface Text {
  title: string;
  content: string;
}

interface Declared<Facts> {
  /** Selects the icon in the list of notifications. */
  kind: NotificationKind;
  /** The preference that turns its email on or off; null if it is never sent by email as a notification. */
  mail: MailedNotice | null;
  /** The preference that turns its push on or off; null if it is never pushed. */
  push: PushedNotice | null;
  /** Text of the notice, if it is more than `title` and `content` filled with the facts. */
  text?(facts: Facts, all: unknown): Text;
}

const notice = <Facts, Event extends keyof typeof en = never>(
  kind: NotificationKind,
  mail: MailedNotice | null,
  text?: (facts: Facts, all: (typeof en)[Event]) => Text,
  push = pushedNotices.find((name) => name === mail) ?? null,
): Declared<Facts> => ({ kind, mail, push, ...(text && { text }) });

/**
 * Every notification: the facts in its text, its icon, its email, and further parts of its text. The words are in
 * `texts`.
 */
export const notices = {
  server_error: notice<{ name: string }>('mail', 'server_error'),
  server_returned: notice<{ name: string }>('mail', 'server_error'),
  /** An agent used the key of its installation, from this address. */
  agent_called: notice<{ name: string; address: string }>('mail', null),
  new_agent_called: notice<{ name: string; address: string }>('mail', null),
  /**
   * A server does not respond. The notice goes to accounts that have lines on it, or whose accounts below have some.
   * There is no email, which would come too late: the panel shows the state of the server.
   */
  lines_away: notice<{ name: string; lines: number }>('mail', null, undefined, 'server_error'),
  lines_back: notice<{ name: string; lines: number; waiting: number }>(
    'mail',
    null,
    undefined,
    'server_error',
  ),
  new_account: notice<{ email: string }>('friend-interactive', 'new_account'),
  /** An account was moved, with all accounts below it: for the accounts that gained or lost it. */
  account_moved_here: notice<{ email: string }>('friend-interactive', 'new_account'),
  account_moved_away: notice<{ email: string }>('friend-interactive', 'new_account'),
  /** Several lines of one owner expire; `named` are the first of them. */
  lines_expiring: notice<
    { count: number; named: { username: string; expiry_date: Day }[] },
    'lines_expiring'
  >('mail', 'lines_expiring', ({ count, named }, all) => {
    const lines = named.map(
      ({ username, expiry_date }) => `${username} (${formatDay(expiry_date)})`,
    );
    return { title: counted(all, count), content: listed(lines, count, all.more) };
  }),
  /** Customers of one owner must enter other lines; `named` are the first of their lines. */
  address_changed: notice<
    {
      count: number;
      named: string[];
      /** The C and N lines to enter, before and now; null if they are not the same for all lines. */
      entered: { old_lines: string[]; new_lines: string[] } | null;
    },
    'address_changed'
  >('mail', 'address_changed', ({ count, named, entered }, all) => {
    const names = listed(named, count, all.more);
    const either = (addresses: string[] = []) => addresses.join('; ') || '–';
    const values = { old: either(entered?.old_lines), new: either(entered?.new_lines), names };
    const content = fill(entered ? all.content_entered : all.content, values);
    return { title: counted(all, count), content };
  }),
  low_balance: notice<{ credits: number; low_balance: number }>('mail', 'low_balance'),
  /** An account and those below it have 80% of the lines that they may have. */
  limit_near: notice<{ used: number; bound: number; left: number }>('mail', null),
  /** The customer of a line asked for a renewal on their page. */
  renewal_asked: notice<
    { username: string; name: string | null; expiry_date: Day },
    'renewal_asked'
  >('mail', 'renewal_asked', ({ username, name, expiry_date }, all) =>
    filled(
      { title: all.title, content: name ? all.content_name : all.content },
      { username, name, day: formatDay(expiry_date) },
    ),
  ),
  /** A line was not renewed automatically. */
  line_not_renewed: notice<{ username: string; why: 'credits' | 'term' | 'ended' }>(
    'mail',
    'auto_renewals',
  ),
  /** The account's credits do not suffice for the automatic renewals of a week. */
  renewals_lack_credits: notice<{ needed: number; available: number; lines: number }>(
    'mail',
    'auto_renewals',
    undefined,
    'low_balance',
  ),
  /** Somebody else changed the account's credits. */
  credits_added: notice('order-placed', 'credits_added', changedCredits),
  credits_taken_back: notice('order-placed', 'credits_taken_back', changedCredits),
  /** A line was online from more networks at the same time than the settings allow. */
  line_shared: notice<SeenNetworks>('mail', null),
  /** The panel suspended the line for some hours because of a sign of sharing. */
  line_suspended: notice<SeenNetworks & { hours: number }>('mail', null),
  /**
   * An administrator turned two-factor sign-in off. The account also gets an email, of a kind that
   * cannot be switched off.
   */
  two_factor_removed: notice<object>('mail', null),
  /** The first failure since the last successful backup. */
  backup_failed: notice<{ folder: string }>('mail', 'backup_failed'),
  /** Two backups in a row did not get to another machine, or could not be restored there. */
  backup_not_copied: notice<{ place: string; problem: string }>('mail', 'backup_failed'),
  /** UPDATE_FEED has a newer version than this panel. */
  new_version: notice<{ version: string; own: string }>('mail', null),
  /** A message was sent by the contact form. */
  contact_received: notice<{ name: string; email: string; subject: string }>(
    'mail',
    'contact_received',
  ),
  new_ticket: notice<Written>('chat-message', 'new_tickets'),
  /** `text` is empty if only files were sent, whose names are `files`. */
  ticket_replied: notice<Written & { files: string }, 'ticket_replied'>(
    'chat-message',
    'ticket_replies',
    (facts, { title, content, content_files }) =>
      filled({ title, content: facts.text ? content : content_files }, facts),
  ),
  top_up_ordered: notice<{ number: string; email: string; credits: number; price: Amount }>(
    'order-placed',
    'top_ups',
  ),
  /** The top-up needs the attention of an administrator. */
  top_up_flagged: notice<{
    number: string;
    why: 'wrong_amount' | 'paid_again' | 'paid_late' | 'owed';
  }>('order-placed', 'top_ups'),
  top_up_approved: notice<NumberedCredits>('order-placed', 'top_ups'),
  top_up_rejected: notice<{ number: string; reason: string }>('order-placed', 'top_ups'),
  top_up_failed: notice<{ number: string }>('order-placed', 'top_ups'),
  top_up_returned: notice<NumberedCredits>('order-placed', 'top_ups'),
  top_up_restored: notice<NumberedCredits>('order-placed', 'top_ups'),
  /** `paid` is null if Stripe did not report it. */
  top_up_surplus: notice<{
    number: string;
    why: 'wrong_amount' | 'paid_again';
    ordered: Amount;
    paid: Amount | null;
  }>('order-placed', 'top_ups'),
  top_up_surplus_returned: notice<{ number: string; paid: Amount | null }>(
    'order-placed',
    'top_ups',
  ),
};
export type NoticeEvent = keyof typeof notices;
/** Values for the text of each notification. */
export type NoticeFacts = {
  [Event in NoticeEvent]: (typeof notices)[Event] extends Declared<infer Facts> ? Facts : never;
};

/** The text of a notice. `why` among the facts chooses between texts; amounts are formatted for the language. */
export function noticeText<Event extends NoticeEvent>(
  language: Language,
  event: Event,
  facts: NoticeFacts[Event],
): Text {
  const all: Record<string, string> = texts[language][event];
  const { text }: Declared<NoticeFacts[Event]> = notices[event] as never;
  if (text) return text(facts, all);
  const { why, ...given } = facts as Record<string, unknown>;
  const values = Object.entries(given).map(([name, value]) => [name, shown(language, value)]);
  const chosen = (part: string) => all[`${part}_${why}`] ?? all[part] ?? '';
  return filled({ title: chosen('title'), content: chosen('content') }, Object.fromEntries(values));
}

/** The subject of one mail about several messages, tickets and replies. */
export function severalTitle(language: Language, count: number): string {
  return fill(texts[language].several.title, { count });
}

/** Replaces each name in braces in a text by its value. */
export function fill(text: string, values: object): string {
  const known = new Map<string, unknown>(Object.entries(values));
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(known.get(name)));
}

function filled({ title, content }: Text, values: object): Text {
  return { title: fill(title, values), content: fill(content, values) };
}

function counted(all: { title_one: string; title_other: string }, count: number): string {
  return count === 1 ? all.title_one : fill(all.title_other, { count });
}

/** The first of some names, and the number of further ones. */
function listed(named: readonly string[], count: number, more: string): string {
  const rest = count - named.length;
  return `${named.join(', ')}${rest > 0 ? ` ${fill(more, { rest })}` : ''}`;
}

function changedCredits({ amount, balance, note }: ChangedCredits, all: typeof en.credits_added) {
  const parts = [
    ...(balance === null ? [] : [fill(all.balance, { balance })]),
    ...(note ? [fill(all.note, { note })] : []),
  ];
  return { title: fill(all.title, { amount }), content: parts.join(' ') || all.content };
}

/** Formats a value. Only an amount that Stripe did not report may be null. */
function shown(language: Language, value: unknown): unknown {
  if (value === null) return '?';
  return typeof value === 'object' ? amountText(language, value as Amount) : value;
}

/** Formats an amount of money. Packages have two decimals; a payment may be in any currency. */
function amountText(language: Language, { minor, currency }: Amount): string {
  const locale = language === 'pt' ? 'pt-PT' : language;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(minor / 10 ** maximumFractionDigits);
}

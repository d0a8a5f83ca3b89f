import { type Day, formatDay } from '@linekeeper/contract/dates.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import type { MailedNotice } from '@linekeeper/contract/lists/preferences.ts';
import type { NotificationKind } from '@linekeeper/contract/notifications.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

/** Polish and Portuguese avoid addressing the reader. */
const texts: Record<Language, typeof en> = { en, de, pl, pt };

interface Amount {
  minor: number;
  currency: string;
}

interface ChangedCredits {
  amount: number;
  /** Afterwards; null for administrators, whose credits are not counted. */
  balance: number | null;
  note: string | null;
}

interface Written {
  number: number;
  title: string;
  /** The writer's name. */
  name: string;
  text: string;
}

interface SeenNetworks {
  username: string;
  connections: number;
  networks: number;
  allowed: number;
}

/** Values for the text of each notification. */
export interface NoticeFacts {
  server_error: { name: string };
  server_returned: { name: string };
  /** An agent used the key of its installation, from this address. */
  agent_called: { name: string; address: string };
  new_agent_called: { name: string; address: string };
  /** To accounts that have lines on a server, themselves or below them. */
  lines_away: { name: string; lines: number };
  lines_back: { name: string; lines: number; waiting: number };
  new_account: { email: string };
  /** To whom an account, with all below it, was moved, and from whom. */
  account_moved_here: { email: string };
  account_moved_away: { email: string };
  /** Several lines of one owner; `named` are the first of them. */
  lines_expiring: { count: number; named: { username: string; expiry_date: Day }[] };
  /** Customers of one owner must enter other lines; `named` are the first of their lines. */
  address_changed: {
    count: number;
    named: string[];
    /** Null if the lines differed before or differ now in what customers enter. */
    entered: { old_lines: string[]; new_lines: string[] } | null;
  };
  low_balance: { credits: number; low_balance: number };
  /** Somebody else changed the account's credits. */
  credits_added: ChangedCredits;
  credits_taken_back: ChangedCredits;
  /** On from more networks at once than the settings say. */
  line_shared: SeenNetworks;
  /** The panel suspended it for that, for some hours. */
  line_suspended: SeenNetworks & { hours: number };
  /** The line's server has a row by hand for the name, so the line would not have worked. `refunded` is 0 for a trial. */
  /** Turned off by an administrator. */
  two_factor_removed: object;
  /** The first since the last backup that was made. */
  backup_failed: { folder: string };
  /** Sent by the contact form. */
  contact_received: { name: string; email: string; subject: string };
  new_ticket: Written;
  /** `text` is empty if only files were sent, whose names are `files`. */
  ticket_replied: Written & { files: string };
  top_up_ordered: {
    number: string;
    email: string;
    credits: number;
    price_minor: number;
    currency: string;
  };
  /** An administrator has to look at it. */
  top_up_flagged: { number: string; why: 'wrong_amount' | 'paid_again' | 'paid_late' | 'owed' };
  top_up_approved: { number: string; credits: number };
  top_up_rejected: { number: string; reason: string };
  top_up_failed: { number: string };
  top_up_returned: { number: string; credits: number };
  top_up_restored: { number: string; credits: number };
  top_up_surplus: {
    number: string;
    why: 'wrong_amount' | 'paid_again';
    ordered: Amount;
    /** null if Stripe did not say. */
    paid: Amount | null;
  };
  top_up_surplus_returned: { number: string; paid: Amount | null };
}
export type NoticeEvent = keyof NoticeFacts;

interface Text {
  title: string;
  content: string;
}

interface Declared<Event extends NoticeEvent> {
  /** Selects the icon in the list of notifications. */
  kind: NotificationKind;
  /** The preference that turns its mail on or off; null if it is never mailed as a notification. */
  mail: MailedNotice | null;
  /** Text of the notice, if `title` and `content` filled with the facts are not all of it. */
  text?(facts: NoticeFacts[Event], all: (typeof en)[Event], language: Language): Text;
}

/** Every notification: its icon, its mail, and what its text needs. The words are in `texts`. */
export const notices: { [Event in NoticeEvent]: Declared<Event> } = {
  server_error: { kind: 'mail', mail: 'server_error' },
  server_returned: { kind: 'mail', mail: 'server_error' },
  agent_called: { kind: 'mail', mail: null },
  new_agent_called: { kind: 'mail', mail: null },
  // The panel shows the state of a server; a mail about it would come too late.
  lines_away: { kind: 'mail', mail: null },
  lines_back: { kind: 'mail', mail: null },
  new_account: { kind: 'friend-interactive', mail: 'new_account' },
  account_moved_here: { kind: 'friend-interactive', mail: 'new_account' },
  account_moved_away: { kind: 'friend-interactive', mail: 'new_account' },
  lines_expiring: {
    kind: 'mail',
    mail: 'lines_expiring',
    text: ({ count, named }, all) => {
      const lines = named.map(
        ({ username, expiry_date }) => `${username} (${formatDay(expiry_date)})`,
      );
      return { title: counted(all, count), content: listed(lines, count, all.more) };
    },
  },
  address_changed: {
    kind: 'mail',
    mail: 'address_changed',
    text: ({ count, named, entered }, all) => {
      const names = listed(named, count, all.more);
      const either = (addresses: string[]) => addresses.join('; ') || '–';
      const content = entered
        ? fill(all.content_entered, {
            old: either(entered.old_lines),
            new: either(entered.new_lines),
            names,
          })
        : fill(all.content, { names });
      return { title: counted(all, count), content };
    },
  },
  low_balance: { kind: 'mail', mail: 'low_balance' },
  credits_added: { kind: 'order-placed', mail: 'credits_added', text: changedCredits },
  credits_taken_back: { kind: 'order-placed', mail: 'credits_taken_back', text: changedCredits },
  line_shared: { kind: 'mail', mail: null },
  line_suspended: { kind: 'mail', mail: null },
  // A mail of its own kind, which cannot be switched off, says it too.
  two_factor_removed: { kind: 'mail', mail: null },
  backup_failed: { kind: 'mail', mail: 'backup_failed' },
  contact_received: { kind: 'mail', mail: 'contact_received' },
  new_ticket: { kind: 'chat-message', mail: 'new_tickets' },
  ticket_replied: {
    kind: 'chat-message',
    mail: 'ticket_replies',
    text: (facts, { title, content, content_files }) =>
      filled({ title, content: facts.text ? content : content_files }, facts),
  },
  top_up_ordered: {
    kind: 'order-placed',
    mail: 'top_ups',
    text: (facts, all, language) => {
      const { price_minor: minor, currency } = facts;
      return filled(all, { ...facts, price: amountText(language, { minor, currency }) });
    },
  },
  top_up_flagged: {
    kind: 'order-placed',
    mail: 'top_ups',
    text: (facts, all) => filled({ title: all.title, content: all[`content_${facts.why}`] }, facts),
  },
  top_up_approved: { kind: 'order-placed', mail: 'top_ups' },
  top_up_rejected: { kind: 'order-placed', mail: 'top_ups' },
  top_up_failed: { kind: 'order-placed', mail: 'top_ups' },
  top_up_returned: { kind: 'order-placed', mail: 'top_ups' },
  top_up_restored: { kind: 'order-placed', mail: 'top_ups' },
  top_up_surplus: {
    kind: 'order-placed',
    mail: 'top_ups',
    text: ({ number, why, ordered, paid }, all, language) =>
      filled(
        { title: all[`title_${why}`], content: all[`content_${why}`] },
        { number, ordered: amountText(language, ordered), paid: amountText(language, paid) },
      ),
  },
  top_up_surplus_returned: {
    kind: 'order-placed',
    mail: 'top_ups',
    text: ({ number, paid }, all, language) =>
      filled(all, { number, paid: amountText(language, paid) }),
  },
};

/** The text of a notification in a language. */
export function noticeText<Event extends NoticeEvent>(
  language: Language,
  event: Event,
  facts: NoticeFacts[Event],
): Text {
  const all = texts[language][event];
  return notices[event].text?.(facts, all, language) ?? filled(all as unknown as Text, facts);
}

/** The subject of one mail about several messages, tickets and replies. */
export function severalTitle(language: Language, count: number): string {
  return fill(texts[language].several.title, { count });
}

/** Each name in braces replaced by its value. */
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

/** The first of some names, and how many more there are. */
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

/** Packages have two decimals; what was paid may be in any currency. */
function amountText(language: Language, amount: Amount | null): string {
  if (!amount) return '?';
  const locale = language === 'pt' ? 'pt-PT' : language;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: amount.currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amount.minor / 10 ** maximumFractionDigits);
}

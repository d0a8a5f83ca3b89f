import { type Day, daysBetween, formatDay } from '../dates.ts';
import type { LinePayment } from '../fields/payment.ts';
import type { Language } from '../languages.ts';
import { type Address, enteredLines, splitHostPort } from '../lines/receivers.ts';

/**
 * The texts in which a seller writes to customers. The panel has a default text for each occasion, and an account may
 * have its own. Everything that reaches a customer is filled in here: what is shared, copied, printed and sent, and what the
 * customer's page shows.
 */
export const textKinds = ['handover', 'reminder', 'renewed', 'moved'] as const;
export type TextKind = (typeof textKinds)[number];

/** Own texts by occasion and language; a missing or empty one is the default text. */
export type OwnTexts = { [Kind in string]?: { [In in string]?: string | null } };

/** Placeholders for facts of a line, in the order in which they are offered. */
export const placeholders = [
  'name',
  'username',
  'password',
  'address',
  'port',
  'c_line',
  'expiry',
  'plan',
  'price',
  'owes',
  'page',
] as const;
export type Placeholder = (typeof placeholders)[number];

export const MAX_TEXT_LENGTH = 1000;

/** Any text in braces within a row. */
const IN_BRACES = /\{([^{}\n]*)\}/g;

const isPlaceholder = (word: string): word is Placeholder =>
  placeholders.some((one) => one === word);

/** The placeholders of a text, each once, and the first word in braces that is not a placeholder. */
export function placeholdersOf(text: string): { known: Placeholder[]; unknown: string | null } {
  const words = [...new Set([...text.matchAll(IN_BRACES)].map(([, word = '']) => word))];
  const unknown = words.find((word) => !isPlaceholder(word));
  return {
    known: words.filter(isPlaceholder),
    unknown: unknown === undefined ? null : `{${unknown}}`,
  };
}

/** True for a text that has the password of the line. */
export const namesPassword = (text: string) =>
  placeholdersOf(text).known.some((word) => word === 'password' || word === 'c_line');

export const namesPage = (text: string) => placeholdersOf(text).known.includes('page');

/** The values of placeholders. A missing or empty one is unknown or does not apply. */
export type TextFacts = { [Name in Placeholder]?: string | null | undefined };

/** The end of a sentence within a row. */
const BETWEEN_SENTENCES = /(?<=[.!?])[ \t]+/;

/**
 * Fills in a text. A sentence with a placeholder that has no value is left out, and a row of which nothing remains, too.
 * A missing name is an exception: only the name and the space before it are left out.
 */
export function fillText(text: string, facts: TextFacts): string {
  const factOf = (word: string) => (isPlaceholder(word) && facts[word]) || '';
  const lacks = (sentence: string) =>
    placeholdersOf(sentence).known.some((word) => word !== 'name' && factOf(word) === '');
  const unnamed = (sentence: string) =>
    factOf('name') === '' ? sentence.replace(/^\{name\}[,!]?\s*|\s*\{name\}/g, '') : sentence;
  const rows = text.split('\n').flatMap((row) => {
    const sentences = row.split(BETWEEN_SENTENCES);
    const kept = sentences.filter((sentence) => !lacks(sentence)).map(unnamed);
    const filled = kept.join(' ').replace(IN_BRACES, (whole, word: string) => {
      return isPlaceholder(word) ? factOf(word) : whole;
    });
    return filled.trim() === '' && row.trim() !== '' ? [] : [filled];
  });
  return rows
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The text of an occasion in a language: the seller's own, or else the default one. */
export function textOf(own: OwnTexts, kind: TextKind, language: Language): string {
  return own[kind]?.[language]?.trim() || usualTexts[kind][language];
}

/** Days before its expiry from which the customer of a line is reminded. */
const REMINDED_DAYS = 7;

/** The occasion for which the customer of a line is most likely written to today. */
export function occasionOf(
  { expiry_date }: { expiry_date: Day },
  today: Day,
  wasRenewed: boolean,
): TextKind {
  if (wasRenewed) return 'renewed';
  return daysBetween(today, expiry_date) <= REMINDED_DAYS ? 'reminder' : 'handover';
}

/** An amount in hundredths as texts have it: 12 EUR, 12.50 EUR. */
export function amountText(minor: number, currency: string | null, language: Language): string {
  const digits = minor % 100 === 0 ? 0 : 2;
  const locale = language === 'pt' ? 'pt-PT' : language;
  const amount = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(minor / 100);
  return [amount, currency].filter(Boolean).join('\u00a0');
}

/** The amount that a customer owes; null if nothing is owed, or if the amount is not known. */
export function owedText(payment: LinePayment | null, language: Language): string | null {
  if (payment?.state !== 'owes' || payment.amount_minor === null) return null;
  return amountText(payment.amount_minor, payment.currency, language);
}

/** The facts of a line from which texts to its customer are filled in. */
export interface LineOfText {
  username: string;
  /** The password; undefined if it was not fetched. The C line, which contains it, is then left out, too. */
  password?: string | undefined;
  name: string | null;
  expiry_date: string;
  price_minor: number | null;
  currency: string | null;
  plan?: string | null;
  /** The payment in the seller's bookkeeping; null for everybody else. */
  payment?: LinePayment | null;
  page?: string | null;
  /** Addresses that were set for this line; on its first server they replace the address of the server. */
  host_port: readonly string[];
  /** The servers of the line, its first one first. */
  servers: readonly (Parameters<typeof enteredLines>[0] & { host_port: string })[];
}

/** The values of the placeholders for a line. An address and a port are given if there is only one of each. */
export function factsOf(line: LineOfText, language: Language): TextFacts {
  const { username, password, servers, price_minor, currency } = line;
  const hostPortOf = (index: number) =>
    (index === 0 ? line.host_port[0] : undefined) ?? servers[index]?.host_port ?? '';
  const lines =
    password === undefined
      ? []
      : servers.flatMap((server, index) =>
          enteredLines(server, [hostPortOf(index)], { username, password }),
        );
  const isOne = servers.length === 1;
  const address: Address = splitHostPort(hostPortOf(0));
  return {
    name: line.name,
    username,
    password,
    address: isOne ? address.host : null,
    // On NewCamd, each CAID has its own port.
    port: isOne && servers[0]?.protocol === 'CCcam' ? address.port : null,
    c_line: [...new Set(lines)].join('\n'),
    expiry: formatDay(line.expiry_date),
    plan: line.plan,
    price: price_minor === null ? null : amountText(price_minor, currency, language),
    owes: owedText(line.payment ?? null, language),
    page: line.page,
  };
}

/** The default texts. Every placeholder that may be unknown has its own sentence or row. */
export const usualTexts: Record<TextKind, Record<Language, string>> = {
  handover: {
    en: `Hello {name},

Here is your line, which is paid until {expiry}.

{c_line}

Server: {address}
Port: {port}
Username: {username}
Password: {password}

{page}`,
    de: `Guten Tag {name},

hier ist Ihre Linie, die bis {expiry} bezahlt ist.

{c_line}

Server: {address}
Port: {port}
Benutzername: {username}
Passwort: {password}

{page}`,
    pl: `Dzień dobry,

oto dane linii opłaconej do {expiry}.

{c_line}

Serwer: {address}
Port: {port}
Nazwa użytkownika: {username}
Hasło: {password}

{page}`,
    pt: `Olá {name},

Aqui está a sua linha, paga até {expiry}.

{c_line}

Servidor: {address}
Porta: {port}
Nome de utilizador: {username}
Palavra-passe: {password}

{page}`,
  },
  reminder: {
    en: `Hello {name},

Your line {username} is paid until {expiry}. Renewing costs {price}. Still to be paid: {owes}.

To renew, simply reply to this message.
{page}`,
    de: `Guten Tag {name},

Ihre Linie {username} ist bis {expiry} bezahlt. Die nächste Laufzeit kostet {price}. Noch offen: {owes}.

Zum Verlängern genügt eine Antwort auf diese Nachricht.
{page}`,
    pl: `Dzień dobry,

linia {username} jest opłacona do {expiry}. Kolejny okres kosztuje {price}. Do zapłaty pozostaje: {owes}.

Aby przedłużyć, wystarczy odpowiedzieć na tę wiadomość.
{page}`,
    pt: `Olá {name},

A sua linha {username} está paga até {expiry}. A renovação custa {price}. Por pagar: {owes}.

Para renovar, basta responder a esta mensagem.
{page}`,
  },
  renewed: {
    en: `Hello {name},

Your line {username} has been renewed and is now paid until {expiry}. Thank you! Still to be paid: {owes}.

You don’t need to change anything in your receiver.
{page}`,
    de: `Guten Tag {name},

Ihre Linie {username} ist verlängert und jetzt bis {expiry} bezahlt. Vielen Dank! Noch offen: {owes}.

Am Receiver müssen Sie nichts ändern.
{page}`,
    pl: `Dzień dobry,

linia {username} została przedłużona i jest opłacona do {expiry}. Dziękujemy! Do zapłaty pozostaje: {owes}.

W odbiorniku nie trzeba niczego zmieniać.
{page}`,
    pt: `Olá {name},

A sua linha {username} foi renovada e está paga até {expiry}. Obrigado! Por pagar: {owes}.

Não é preciso alterar nada no recetor.
{page}`,
  },
  moved: {
    en: `Hello {name},

Your line {username} has moved to another server. Please replace the old entry in your receiver with this:

{c_line}

{page}`,
    de: `Guten Tag {name},

Ihre Linie {username} ist auf einen anderen Server umgezogen. Bitte ersetzen Sie den alten Eintrag im Receiver durch diesen:

{c_line}

{page}`,
    pl: `Dzień dobry,

linia {username} działa teraz na innym serwerze. Zastąp dotychczasowy wpis w odbiorniku poniższym:

{c_line}

{page}`,
    pt: `Olá {name},

A sua linha {username} mudou para outro servidor. Substitua a entrada antiga no recetor por esta:

{c_line}

{page}`,
  },
};

import * as z from 'zod';
import { optionalText, STORABLE } from './fields.ts';
import { isVisible, optionalName } from './names.ts';

const httpsUrl = z
  .url({ protocol: /^https$/, error: 'INVALID_VALUE' })
  .max(500, { error: 'TOO_LONG' })
  .regex(STORABLE, { error: 'INVALID_VALUE' })
  .refine(isVisible, { error: 'HIDDEN_LETTERS' });

const avatarUrl = z.union([z.literal(''), httpsUrl], { error: 'INVALID_VALUE' }).optional();
const customerEmail = z
  .union([z.literal(''), z.email({ error: 'INVALID_EMAIL' }).max(254)], { error: 'INVALID_EMAIL' })
  .optional();

/** What is said of a text that describes a line. */
interface LineText {
  /** What a sale, an edit and a row of a file may give; an empty text takes it away. */
  value: z.ZodType<string | undefined, string | undefined>;
  /** The API's documentation of it. */
  meaning: string;
  /** What is stored where it is empty. */
  whenEmpty: null | 'Info';
  /** Its part of the form of an edit. */
  group: 'customer' | 'technical' | 'notes';
  /** The kind of its input. */
  input: 'text' | 'email' | 'url' | 'lines';
  /** The form of a sale has it, not only that of an edit. */
  isSold: boolean;
  /** The search of lines finds it; the column `search` of the table must have it. */
  isSearched: boolean;
  /** Headings of files besides its name, in small letters and digits only. */
  headings: string;
}

const declare = <const Texts extends Record<string, LineText>>(texts: Texts) => texts;

/**
 * The texts that describe a line, which are never pushed to a card server. Each is declared here, in the order of the
 * forms. Columns of the database, sales, edits, jobs and their undo, exports, imports, the audit log and the pages
 * follow from this; a new one needs its declaration, a column (and, if it is searched, a place in the column `search`),
 * and its name in four languages.
 */
export const lineTexts = declare({
  name: {
    value: optionalName(),
    meaning: "The customer's name",
    whenEmpty: null,
    group: 'customer',
    input: 'text',
    isSold: true,
    isSearched: true,
    headings: 'fullname displayname customer kunde imieinazwisko klient nome nomecompleto cliente',
  },
  company: {
    value: optionalName(),
    meaning: "The customer's company",
    whenEmpty: null,
    group: 'customer',
    input: 'text',
    isSold: true,
    isSearched: true,
    headings: 'firma empresa',
  },
  role: {
    value: optionalName(),
    meaning: "The customer's role",
    whenEmpty: null,
    group: 'customer',
    input: 'text',
    isSold: false,
    isSearched: false,
    headings: '',
  },
  email: {
    value: customerEmail,
    meaning: "The customer's email",
    whenEmpty: null,
    group: 'customer',
    input: 'email',
    isSold: true,
    isSearched: true,
    headings: 'mail emailaddress emailadresse adresemail correioeletronico',
  },
  avatar_url: {
    value: avatarUrl,
    meaning: 'Address of a picture of the customer',
    whenEmpty: null,
    group: 'customer',
    input: 'url',
    isSold: false,
    isSearched: false,
    headings: 'avatar',
  },
  notes: {
    value: optionalText(5000),
    meaning: 'What you write down about the line; customers do not see it',
    whenEmpty: null,
    group: 'notes',
    input: 'lines',
    isSold: true,
    isSearched: true,
    headings:
      'note comment comments description adminnotes resellernotes notizen notiz kommentar bemerkung notatki uwagi komentarz notas observacoes comentario',
  },
  user_value: {
    value: optionalText(),
    meaning: 'A value of your own, kept as it is',
    whenEmpty: null,
    group: 'technical',
    input: 'text',
    isSold: false,
    isSearched: true,
    headings: 'value',
  },
  live_channel: {
    value: optionalText(),
    meaning: 'A text of your own, shown with the line',
    whenEmpty: 'Info',
    group: 'technical',
    input: 'text',
    isSold: true,
    isSearched: true,
    headings: 'channel',
  },
  info: {
    value: optionalText(),
    meaning: 'A text of your own, shown with the line',
    whenEmpty: 'Info',
    group: 'technical',
    input: 'text',
    isSold: true,
    isSearched: true,
    headings: 'information',
  },
});

type LineTexts = typeof lineTexts;
export type LineTextName = keyof LineTexts;

export const lineTextNames = Object.keys(lineTexts) as readonly LineTextName[];

/** The names of the texts that are declared so. */
export type LineTextWith<Property extends keyof LineText, Value> = {
  [Name in LineTextName]: LineTexts[Name][Property] extends Value ? Name : never;
}[LineTextName];

/** The names of the texts that are declared so, in the order of their declaration. */
export function lineTextsWith<
  const Property extends keyof LineText,
  const Value extends LineText[Property],
>(property: Property, value: Value): readonly LineTextWith<Property, Value>[] {
  const declared: Record<LineTextName, LineText> = lineTexts;
  type Found = LineTextWith<Property, Value>;
  return lineTextNames.filter((name): name is Found => declared[name][property] === value);
}

/** Something of each text, by its name. */
export function ofLineTexts<Result>(of: (name: LineTextName) => Result) {
  return Object.fromEntries(lineTextNames.map((name) => [name, of(name)])) as Record<
    LineTextName,
    Result
  >;
}

/** Each text as a row of the table and a line of a reply have it. */
export type StoredLineTexts = {
  [Name in LineTextName]: LineTexts[Name]['whenEmpty'] extends null ? string | null : string;
};

/** The texts of a line in a reply. */
export const storedLineTexts = ofLineTexts((name) =>
  lineTexts[name].whenEmpty === null ? z.string().nullable() : z.string(),
) as unknown as {
  [Name in LineTextName]: z.ZodType<StoredLineTexts[Name], StoredLineTexts[Name]>;
};

/** The texts that a sale or a row of a file may give. */
export const givenLineTexts = ofLineTexts((name) => lineTexts[name].value);

/** The texts of a change: empty or null takes one away. */
export const changedLineTexts = ofLineTexts((name) => lineTexts[name].value.nullable());

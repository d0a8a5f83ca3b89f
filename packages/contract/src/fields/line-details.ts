import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { invalid, optionalText, STORABLE } from './fields.ts';
import { isVisible, optionalName } from './names.ts';

/** A value that an empty text takes away, because forms send one. */
const orEmpty = <Schema extends z.ZodType>(schema: Schema, error: ErrorCode) =>
  z.union([z.literal(''), schema], { error }).optional();

const httpsUrl = z
  .url({ protocol: /^https$/, error: 'INVALID_VALUE' })
  .max(500, { error: 'TOO_LONG' })
  .regex(STORABLE, invalid)
  .refine(isVisible, { error: 'HIDDEN_LETTERS' });

interface LineDetail {
  /** What a sale, an edit and a row of a file may give; an empty text takes it away. */
  value: z.ZodType<string | undefined, string | undefined>;
  /** The kind of its input. */
  kind: 'text' | 'email' | 'url' | 'lines';
  /** The API's documentation of it. */
  meaning: string;
  /** What is stored and shown where it is empty; null by default. */
  whenEmpty?: string;
  /** Its part of the form of an edit. */
  group: 'customer' | 'technical' | 'notes';
  /** The form of a sale has it, too. */
  isSold?: true;
  /** The search of lines finds it; the column `search` of the table must have it. */
  isSearched?: true;
  /** Headings of files besides its name, in small letters and digits only. */
  headings?: string;
}

/**
 * What describes a line and is never pushed to a card server. Each detail is declared here, in the order of the forms.
 * Columns of the database, sales, edits, jobs and their undo, exports, imports, the audit log and the pages follow from
 * this; a new one needs its declaration, a column (and, if it is searched, a place in the column `search`), and its
 * name in four languages.
 */
const declared = {
  name: {
    value: optionalName,
    meaning: "The customer's name",
    group: 'customer',
    kind: 'text',
    isSold: true,
    isSearched: true,
    headings: 'fullname displayname customer kunde imieinazwisko klient nome nomecompleto cliente',
  },
  company: {
    value: optionalName,
    meaning: "The customer's company",
    group: 'customer',
    kind: 'text',
    isSold: true,
    isSearched: true,
    headings: 'firma empresa',
  },
  role: {
    value: optionalName,
    meaning: "The customer's role",
    group: 'customer',
    kind: 'text',
  },
  email: {
    value: orEmpty(z.email({ error: 'INVALID_EMAIL' }).max(254), 'INVALID_EMAIL'),
    meaning: "The customer's email",
    group: 'customer',
    kind: 'email',
    isSold: true,
    isSearched: true,
    headings: 'mail emailaddress emailadresse adresemail correioeletronico',
  },
  avatar_url: {
    value: orEmpty(httpsUrl, 'INVALID_VALUE'),
    meaning: 'Address of a picture of the customer',
    group: 'customer',
    kind: 'url',
    headings: 'avatar',
  },
  notes: {
    value: optionalText(5000),
    meaning: 'What you write down about the line; customers do not see it',
    group: 'notes',
    kind: 'lines',
    isSold: true,
    isSearched: true,
    headings:
      'note comment comments description adminnotes resellernotes notizen notiz kommentar bemerkung notatki uwagi komentarz notas observacoes comentario',
  },
  user_value: {
    value: optionalText(),
    meaning: 'A value of your own, kept as it is',
    group: 'technical',
    kind: 'text',
    isSearched: true,
    headings: 'value',
  },
  live_channel: {
    value: optionalText(),
    meaning: 'A text of your own, shown with the line',
    whenEmpty: 'Info',
    group: 'technical',
    kind: 'text',
    isSold: true,
    isSearched: true,
    headings: 'channel',
  },
  info: {
    value: optionalText(),
    meaning: 'A text of your own, shown with the line',
    whenEmpty: 'Info',
    group: 'technical',
    kind: 'text',
    isSold: true,
    isSearched: true,
    headings: 'information',
  },
} as const satisfies Record<string, LineDetail>;

type Declared = typeof declared;
export type LineDetailName = keyof Declared;

export const lineDetails: Record<LineDetailName, LineDetail> = declared;
export const lineDetailNames = Object.keys(declared) as readonly LineDetailName[];

/** The names of the details that are declared so. */
type LineDetailWith<Property extends keyof LineDetail, Value> = {
  [Name in LineDetailName]: Declared[Name] extends Record<Property, Value> ? Name : never;
}[LineDetailName];

/** The names of the details that are declared so, in the order of their declaration. */
export function lineDetailsWith<
  const Property extends keyof LineDetail,
  const Value extends LineDetail[Property],
>(property: Property, value: Value): readonly LineDetailWith<Property, Value>[] {
  type Found = LineDetailWith<Property, Value>;
  return lineDetailNames.filter((name): name is Found => lineDetails[name][property] === value);
}

/** Something of each detail, by its name. */
export function ofLineDetails<Result>(of: (name: LineDetailName) => Result) {
  return Object.fromEntries(lineDetailNames.map((name) => [name, of(name)])) as Record<
    LineDetailName,
    Result
  >;
}

/** Each detail as a row of the table and a line of a reply have it. */
export type StoredLineDetails = {
  [Name in LineDetailName]: Declared[Name] extends { whenEmpty: string } ? string : string | null;
};

/** The details of a line in a reply. */
export const storedLineDetails = ofLineDetails((name) =>
  lineDetails[name].whenEmpty === undefined ? z.string().nullable() : z.string(),
) as unknown as {
  [Name in LineDetailName]: z.ZodType<StoredLineDetails[Name], StoredLineDetails[Name]>;
};

/** The details that a sale or a row of a file may give. */
export const givenLineDetails = ofLineDetails((name) => lineDetails[name].value) as {
  [Name in LineDetailName]: Declared[Name]['value'];
};

/** The details of a change, of which null or an empty text takes one away. */
export const changedLineDetails = ofLineDetails((name) =>
  lineDetails[name].value.nullable(),
) as unknown as {
  [Name in LineDetailName]: z.ZodNullable<Declared[Name]['value']>;
};

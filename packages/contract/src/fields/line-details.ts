import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { languages } from '../languages.ts';
import { invalid, optionalText, STORABLE } from './fields.ts';
import { isVisible, optionalName } from './names.ts';
import { amountMinor, currencyCode } from './payment.ts';

/** A value in whose place an empty text means null, because forms send such a text. */
const orEmpty = <Schema extends z.ZodType>(schema: Schema, error: ErrorCode) =>
  z.union([z.literal(''), schema], { error }).optional();

const httpsUrl = z
  .url({ protocol: /^https$/, error: 'INVALID_VALUE' })
  .max(500, { error: 'TOO_LONG' })
  .regex(STORABLE, invalid)
  .refine(isVisible, { error: 'HIDDEN_LETTERS' });

/** A phone number as it is typed. Links to messengers take its digits. */
const phone = z
  .string({ error: 'INVALID_PHONE' })
  .trim()
  .max(40, { error: 'INVALID_PHONE' })
  .regex(/^[\d +\-()/]*$/, { error: 'INVALID_PHONE' })
  .refine((text) => /^\d{5,20}$/.test(phoneDigits(text)), { error: 'INVALID_PHONE' });

/** The digits of a phone number. */
export const phoneDigits = (text: string) => text.replace(/\D/g, '');

interface LineDetail {
  /** The value in a sale, an edit and a row of a file; an empty text clears it. */
  value: z.ZodType<string | number | undefined, string | number | undefined>;
  /** The kind of input with which the detail is entered. */
  kind: 'text' | 'email' | 'url' | 'tel' | 'lines' | 'price' | 'language' | 'currency';
  /** The description of the detail in the API documentation. */
  meaning: string;
  /** The value that is stored and shown for an empty detail; null by default. */
  whenEmpty?: string;
  /** The section in the form for editing. */
  group: 'customer' | 'technical' | 'notes';
  /** True if the form of a sale has the detail, too. */
  isSold?: true;
  /** True if few sellers use it, so that forms and imports have it behind the others. */
  isRare?: true;
  /** True if the search of lines covers it; the column `search` of the table must then have it. */
  isSearched?: true;
  /** Headings of files in addition to its name, in lower-case letters and digits only. */
  headings?: string;
}

/**
 * The details of a line, which are never pushed to a card server. Each detail is declared here, in
 * the order of the forms. Columns of the database, sales, edits, jobs and their undo, exports,
 * imports, the audit log and the pages follow from this. A new detail needs its declaration, a
 * column (and, if it is searched, a place in the column `search`), and its name in four languages.
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
  phone: {
    value: orEmpty(phone, 'INVALID_PHONE'),
    meaning: "The customer's phone number, with 5 to 20 digits",
    group: 'customer',
    kind: 'tel',
    isSold: true,
    isSearched: true,
    headings:
      'phonenumber telephone tel mobile mobilephone whatsapp telefon telefonnummer handy mobil telefonu numertelefonu komorka telefone telemovel celular',
  },
  language: {
    value: orEmpty(z.string().trim().toLowerCase().pipe(z.enum(languages)), 'INVALID_VALUE'),
    meaning: 'The language of texts for the customer; by default that of the seller',
    group: 'customer',
    kind: 'language',
    isSold: true,
    headings: 'lang locale sprache jezyk idioma lingua',
  },
  price_minor: {
    value: orEmpty(amountMinor, 'INVALID_VALUE'),
    meaning: "What the customer pays the seller for the line's term, in hundredths of the currency",
    group: 'customer',
    kind: 'price',
    isSold: true,
  },
  currency: {
    value: orEmpty(currencyCode, 'INVALID_VALUE'),
    meaning: "The currency of the customer's price, as three letters",
    group: 'customer',
    kind: 'currency',
    isSold: true,
    headings: 'wahrung waehrung waluta moeda',
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
    isRare: true,
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
    isRare: true,
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
    isRare: true,
    isSearched: true,
    headings: 'value',
  },
  live_channel: {
    value: optionalText(),
    meaning: 'A text of your own, shown with the line',
    whenEmpty: 'Info',
    group: 'technical',
    kind: 'text',
    isRare: true,
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
    isRare: true,
    isSold: true,
    isSearched: true,
    headings: 'information',
  },
} as const satisfies Record<string, LineDetail>;

type Declared = typeof declared;
export type LineDetailName = keyof Declared;

export const lineDetails: Record<LineDetailName, LineDetail> = declared;
export const lineDetailNames = Object.keys(declared) as readonly LineDetailName[];

/** The names of the details that have this property. */
type LineDetailWith<Property extends keyof LineDetail, Value> = {
  [Name in LineDetailName]: Declared[Name] extends Record<Property, Value> ? Name : never;
}[LineDetailName];

/** The names of the details that have this property, in the order of their declaration. */
export function lineDetailsWith<
  const Property extends keyof LineDetail,
  const Value extends LineDetail[Property],
>(property: Property, value: Value): readonly LineDetailWith<Property, Value>[] {
  type Found = LineDetailWith<Property, Value>;
  return lineDetailNames.filter((name): name is Found => lineDetails[name][property] === value);
}

/** A value for each detail, by its name. */
export function ofLineDetails<Result>(of: (name: LineDetailName) => Result) {
  return Object.fromEntries(lineDetailNames.map((name) => [name, of(name)])) as Record<
    LineDetailName,
    Result
  >;
}

/** The details as a row of the table and a line in a response have them. */
export type StoredLineDetails = {
  [Name in LineDetailName]: Declared[Name] extends { whenEmpty: string }
    ? string
    : Declared[Name] extends { kind: 'price' }
      ? number | null
      : string | null;
};

const stored = { price: z.number().int().nullable(), empty: z.string().nullable() };

/** The details of a line in a response. */
export const storedLineDetails = ofLineDetails((name) => {
  const { whenEmpty, kind } = lineDetails[name];
  if (whenEmpty !== undefined) return z.string();
  return kind === 'price' ? stored.price : stored.empty;
}) as unknown as {
  [Name in LineDetailName]: z.ZodType<StoredLineDetails[Name], StoredLineDetails[Name]>;
};

/** The details that a sale or a row of a file may give. */
export const givenLineDetails = ofLineDetails((name) => lineDetails[name].value) as {
  [Name in LineDetailName]: Declared[Name]['value'];
};

/** The details in a change; null or an empty text clears a detail. */
export const changedLineDetails = ofLineDetails((name) =>
  lineDetails[name].value.nullable(),
) as unknown as {
  [Name in LineDetailName]: z.ZodNullable<Declared[Name]['value']>;
};

/** The fields of `customer`, each with the name of the detail that it sets. */
export const customerFields = {
  name: 'name',
  phone: 'phone',
  language: 'language',
  price_minor: 'price_minor',
  currency: 'currency',
  note: 'notes',
} as const satisfies Record<string, LineDetailName>;

/** A value for each field of `customer`, by the detail that it is. */
function ofCustomer<Details extends Record<LineDetailName, unknown>>(details: Details) {
  const fields = Object.entries(customerFields).map(([field, name]) => [field, details[name]]);
  return Object.fromEntries(fields) as {
    [Field in keyof typeof customerFields]: Details[(typeof customerFields)[Field]];
  };
}

/** The customer of a line in a response: some of its details again, by the names that programs know. */
export const storedCustomer = z.object(ofCustomer(storedLineDetails));

/**
 * The customer in a sale, in a change, or in a row of a file. It overrides the single details of a customer in the same
 * request.
 */
export const givenCustomer = z.object(ofCustomer(changedLineDetails)).optional();
export type GivenCustomer = z.output<typeof givenCustomer>;

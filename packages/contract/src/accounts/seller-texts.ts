import * as z from 'zod';
import { endpoint, entity } from '../endpoint.ts';
import { invalid, optionalText } from '../fields/fields.ts';
import { changedLineDetails } from '../fields/line-details.ts';
import { optionalName } from '../fields/names.ts';
import { type Language, languages } from '../languages.ts';
import { MAX_TEXT_LENGTH, placeholdersOf, type TextKind, textKinds } from '../text/own-texts.ts';

/** A text with known placeholders only; an empty one, or null, is the default text. */
export const ownText = optionalText(MAX_TEXT_LENGTH)
  .nullable()
  .superRefine((text, check) => {
    const { unknown } = placeholdersOf(text ?? '');
    if (unknown === null) return;
    const params = { placeholder: unknown };
    check.addIssue({ code: 'custom', message: 'UNKNOWN_PLACEHOLDER', params });
  });

function byName<Name extends string, Value>(names: readonly Name[], value: Value) {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
}

const inLanguages = <Value extends z.ZodType>(value: Value) =>
  z.object(byName<Language, Value>(languages, value));
const ofKinds = <Value extends z.ZodType>(value: Value) =>
  byName<TextKind, Value>(textKinds, value);

/** The seller on the pages of customers; null for what the seller has not given. */
const sellerPage = z.object({
  name: z.string().nullable(),
  words: inLanguages(z.string().nullable()),
  phone: z.string().nullable(),
  /** The name at t.me, without the @. */
  telegram: z.string().nullable(),
  shows_password: z.boolean(),
});
export type SellerPage = z.output<typeof sellerPage>;

/** A name at t.me, also with its @ or as a link. */
const telegramName = z.union(
  [
    z.literal(''),
    z
      .string()
      .trim()
      .regex(/^(?:(?:https:\/\/)?t\.me\/|@)?[A-Za-z]\w{3,31}$/, invalid)
      .transform((text) => text.replace(/^.*[/@]/, '')),
  ],
  invalid,
);

/** The own texts of an account; null for the default text. */
export const sellerTexts = entity('SellerTexts', {
  ...ofKinds(inLanguages(z.string().nullable())),
  page: sellerPage,
});
export type SellerTexts = z.output<typeof sellerTexts>;

/** Changes of the seller's part of customers' pages. */
export const pageChanges = z.object({
  name: optionalName.nullable(),
  words: inLanguages(ownText.optional()).optional(),
  phone: changedLineDetails.phone,
  telegram: telegramName.nullable().optional(),
  shows_password: z.boolean().optional(),
});
const textChanges = z.object({
  ...ofKinds(inLanguages(ownText).optional()),
  page: pageChanges.optional(),
});
export type TextChanges = z.output<typeof textChanges>;

export const getSellerTexts = endpoint('getSellerTexts', 'GET /api/me/texts', {
  summary: 'Get your texts for customers',
  description:
    "Returns your own texts by occasion and language, and yourself as your customers' pages show you; `null` stands for the default text.",
  access: ['view_users'],
  output: sellerTexts,
});

export const editSellerTexts = endpoint('editSellerTexts', 'PUT /api/me/texts', {
  summary: 'Change your texts for customers',
  description:
    'Changes the texts that you send, and keeps the others. `null` or an empty text restores the default one. Placeholders in braces are filled in for each line, such as `{name}`, `{c_line}` and `{expiry}`.',
  access: ['view_users'],
  body: textChanges,
  output: sellerTexts,
});

import * as z from 'zod';
import { parseDay } from '../dates.ts';
import type { ErrorCode } from '../errors.ts';

/**
 * Field schemas shared by several features. A schema's message is always an error code, which the
 * server turns into English and the browser into the reader's language.
 */
const given = (code: ErrorCode) => ({ error: code });

/** The error for an invalid value without a more specific error. */
export const invalid = { error: 'INVALID_VALUE' } as const;

export const yesOrNo = z.boolean(invalid);

/** Reports `missing` for an absent value and `wrong` for an invalid one. */
export function missingOr(missing: ErrorCode, wrong: ErrorCode) {
  return {
    error: (issue: { input?: unknown }) =>
      issue.input === undefined || issue.input === null || issue.input === '' ? missing : wrong,
  };
}

/** A whole number within limits; the error for a number outside of them names the limits. */
export function wholeNumber(minimum: number, maximum: number) {
  return z
    .number(missingOr('REQUIRED', 'NOT_A_WHOLE_NUMBER'))
    .min(minimum, given('NUMBER_TOO_SMALL'))
    .max(maximum, given('NUMBER_TOO_LARGE'))
    .int(given('NOT_A_WHOLE_NUMBER'));
}

export const MAX_CREDITS = 1_000_000_000;

/** Credits to move or give: a whole number above 0. */
export const creditsAbove0 = z
  .number(given('CREDITS_NOT_POSITIVE'))
  .max(MAX_CREDITS, given('NUMBER_TOO_LARGE'))
  .int(given('NOT_A_WHOLE_NUMBER'))
  .min(1, given('CREDITS_NOT_POSITIVE'));

/** Excludes NUL and lone surrogates, which PostgreSQL cannot store in text. */
export const STORABLE = /^[^\0\p{Cs}]*$/u;

/** A search term in NFC, the form in which names are stored. */
export const searchText = z.string().trim().normalize('NFC').max(100).regex(STORABLE);

/** Trimmed text that must not be empty; `missing` is the error if it is. */
export function requiredText(maximum = 200, missing: ErrorCode = 'REQUIRED') {
  return z
    .string(given(missing))
    .trim()
    .min(1, given(missing))
    .max(maximum, given('TOO_LONG'))
    .regex(STORABLE, invalid);
}

/** Trimmed text that may be empty. */
export function optionalText(maximum = 200) {
  return z
    .string(invalid)
    .trim()
    .max(maximum, given('TOO_LONG'))
    .regex(STORABLE, invalid)
    .optional();
}

/** Text that is kept exactly, including blanks around it. */
export function exactText(maximum: number) {
  return z.string(invalid).max(maximum, given('TOO_LONG')).regex(STORABLE, invalid);
}

export const email = z
  .string(given('INVALID_EMAIL'))
  .trim()
  .toLowerCase()
  .max(254, given('TOO_LONG'))
  .pipe(z.email(given('INVALID_EMAIL')));

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

export const newPassword = z
  .string(given('PASSWORD_TOO_SHORT'))
  .min(MIN_PASSWORD_LENGTH, given('PASSWORD_TOO_SHORT'))
  .max(MAX_PASSWORD_LENGTH, given('TOO_LONG'))
  .regex(STORABLE, invalid);

/** Accepts DD-MM-YYYY or YYYY-MM-DD; the parsed value is YYYY-MM-DD. */
export function dayOr(code: ErrorCode) {
  return z.string(given(code)).transform((text, check) => {
    const parsed = parseDay(text.trim());
    if (parsed) return parsed;
    check.addIssue({ code: 'custom', message: code });
    return z.NEVER;
  });
}

export const day = dayOr('INVALID_EXPIRY_DATE');

export function id(code: ErrorCode) {
  // Ids are stored in lower case, because the audit log has them as texts, as the database writes them.
  return z.guid(given(code)).toLowerCase();
}

export const userId = id('INVALID_USER_ID');
export const serverId = id('INVALID_SERVER_ID');
export const planId = id('INVALID_VALUE');

/** The id of a group, which is any short text, because the three fixed groups have numbers. */
export function groupIdOr(code: ErrorCode) {
  return z.string(invalid).min(1, given(code)).max(40, given(code)).regex(STORABLE, given(code));
}

/** An array of objects with these fields. */
export function arrayOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.array(z.object(shape));
}

/** A timestamp: ISO 8601 in UTC. */
export const moment = z.iso.datetime();

/**
 * A whole number in a query string, digits only. `Number` would also accept an empty string or a
 * space as 0, and so filter by a number that was never given.
 */
export function numberInQuery(minimum: number, maximum: number) {
  const read = (text: unknown) =>
    typeof text === 'string' && /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  return z.preprocess(read, z.int().min(minimum).max(maximum));
}

/** The fields of a change of a record that is created with these fields: each is optional, and none has a default. */
export function changesOf<const Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
  ]);
  return Object.fromEntries(fields) as {
    [Name in keyof Shape]: z.ZodOptional<
      Shape[Name] extends z.ZodDefault<infer Inner> ? Inner : Shape[Name]
    >;
  };
}

/** A yes-or-no parameter of a query string: `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

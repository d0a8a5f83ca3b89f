import * as z from 'zod';
import { parseDay } from './dates.ts';
import type { ErrorCode } from './errors.ts';

/**
 * Field schemas that several features share. A schema's message is always an error code: the
 * server turns it into the English sentence, the browser into the reader's language.
 */
const given = (code: ErrorCode) => ({ error: code });

/** Says `missing` where nothing was given and `wrong` where something unfit was. */
export function missingOr(missing: ErrorCode, wrong: ErrorCode) {
  return {
    error: (issue: { input?: unknown }) =>
      issue.input === undefined || issue.input === null || issue.input === '' ? missing : wrong,
  };
}

/** Without what no text in the database can hold: NUL, and half a character. */
export const STORABLE = /^[^\0\p{Cs}]*$/u;

/** Text that must not be empty, without the spaces around it. */
export function requiredText(code: ErrorCode = 'REQUIRED', maximum = 200) {
  return z
    .string(given(code))
    .trim()
    .min(1, given(code))
    .max(maximum, given('TOO_LONG'))
    .regex(STORABLE, given('INVALID_VALUE'));
}

/** Text that may be empty. */
export function optionalText(maximum = 200) {
  return z
    .string(given('INVALID_VALUE'))
    .trim()
    .max(maximum, given('TOO_LONG'))
    .regex(STORABLE, given('INVALID_VALUE'))
    .optional();
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
  .regex(STORABLE, given('INVALID_VALUE'));

/** A day as DD-MM-YYYY or YYYY-MM-DD; handed on as YYYY-MM-DD. */
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
  return z.guid(given(code));
}

export const userId = id('INVALID_USER_ID');
export const serverId = id('INVALID_SERVER_ID');

/** A moment, ISO 8601 in UTC. */
export const moment = z.iso.datetime();

/** True or false in a query string. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

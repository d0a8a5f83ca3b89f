import * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Card servers keep a line's name and password in text files, one account a line, parts separated
 * by spaces, comments after #, options in braces; a line that begins with ; or [ is none. What would
 * break out of that is refused here, before anything is paid.
 */
const CARD_SERVER_TEXT = /^(?![;[])[^\s\p{C}\p{Z}#{}]+$/u;
/** What card servers keep of a name or password, in bytes of UTF-8. */
export const MAX_CREDENTIAL_BYTES = 63;

function fitsCardServers(text: string): boolean {
  return encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, '.').length <= MAX_CREDENTIAL_BYTES;
}

function credential(
  code: 'INVALID_LINE_USERNAME' | 'INVALID_LINE_PASSWORD',
  missing: ErrorCode = 'USERNAME_AND_PASSWORD_REQUIRED',
) {
  return z
    .string({ error: missing })
    .min(1, { error: missing })
    .superRefine((text, check) => {
      if (text === '') return;
      if (!CARD_SERVER_TEXT.test(text)) check.addIssue({ code: 'custom', message: code });
      else if (!fitsCardServers(text)) {
        check.addIssue({
          code: 'too_big',
          message: 'TOO_MANY_BYTES',
          maximum: MAX_CREDENTIAL_BYTES,
          origin: 'string',
        });
      }
    });
}

export const lineUsername = z
  .string({ error: 'USERNAME_AND_PASSWORD_REQUIRED' })
  .trim()
  .pipe(credential('INVALID_LINE_USERNAME'));
export const linePassword = credential('INVALID_LINE_PASSWORD');

/** In a change, where either may be left out and neither emptied. */
export const changedUsername = z
  .string({ error: 'USERNAME_REQUIRED' })
  .trim()
  .pipe(credential('INVALID_LINE_USERNAME', 'USERNAME_REQUIRED'));
export const changedPassword = credential('INVALID_LINE_PASSWORD', 'REQUIRED');

import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { holdsHiddenLetters } from './names.ts';

/**
 * Text that card servers can store. They keep accounts in text files, one per line: parts separated by spaces, comments
 * after #, options in braces, and a leading ; or [ starts something other than an account. Text that would break this
 * format is refused before credits are paid.
 */
const CARD_SERVER_TEXT = /^(?![;[])[^\s\p{C}\p{Z}#{}]+$/u;
/** Longest username or password that card servers store, in UTF-8 bytes. */
export const MAX_CREDENTIAL_BYTES = 63;
/** Bytes of a username that a CCcam client sends and a card server compares. */
export const MAX_CCCAM_NAME_BYTES = 20;
/** Digits of the highest number that follows a prefix. */
export const MOST_DIGITS = 6;
export const MAX_PREFIX_BYTES = MAX_CCCAM_NAME_BYTES - MOST_DIGITS;

/** The first refused character in printable form, for the error message; undefined if there is none. */
function unfitCharacter(text: string): string | undefined {
  if (CARD_SERVER_TEXT.test(text)) return undefined;
  const unfit = /[\s\p{C}\p{Z}#{}]/u.exec(text)?.[0] ?? text.charAt(0);
  if (unfit === ' ') return 'space';
  if (!/[\s\p{C}\p{Z}]/u.test(unfit)) return unfit;
  const hexadecimal = (unfit.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hexadecimal.padStart(4, '0')}`;
}

/** The length in UTF-8 bytes of a text without lone surrogates, which cannot be counted. */
export function bytesOf(text: string): number {
  return encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, '.').length;
}

/** Problems of an existing name that is longer than a CCcam client sends. */
export const nameProblems = ['NAME_TOO_LONG_FOR_CCCAM', 'NAME_SHARES_FIRST_20'] as const;
export type NameProblem = (typeof nameProblems)[number];

/**
 * True if a receiver sends the whole username to a card server of this protocol. A CCcam client sends only the first
 * 20 bytes (UTF-8), so a longer name could be taken for another line's (decision 0010).
 */
export function isSentWhole(username: string, protocol: 'CCcam' | 'NewCamd'): boolean {
  return protocol !== 'CCcam' || bytesOf(username) <= MAX_CCCAM_NAME_BYTES;
}

/** The longest beginning of a text with at most `bytes` bytes and no part of a letter. */
export function cutToBytes(text: string, bytes: number): string {
  let cut = '';
  for (const letter of text) {
    if (bytesOf(cut + letter) > bytes) break;
    cut += letter;
  }
  return cut;
}

function credential(
  code: 'INVALID_LINE_USERNAME' | 'INVALID_LINE_PASSWORD',
  missing: ErrorCode = 'USERNAME_AND_PASSWORD_REQUIRED',
  maximum = MAX_CREDENTIAL_BYTES,
) {
  return z
    .string({ error: missing })
    .min(1, { error: missing })
    .superRefine((text, check) => {
      if (text === '') return;
      const character = unfitCharacter(text);
      if (holdsHiddenLetters(text)) check.addIssue({ code: 'custom', message: 'HIDDEN_LETTERS' });
      else if (character) {
        check.addIssue({ code: 'custom', message: code, params: { character } });
      } else if (bytesOf(text) > maximum) {
        check.addIssue({ code: 'too_big', message: 'TOO_MANY_BYTES', maximum, origin: 'string' });
      }
    });
}

/** A username, normalised to NFC, so that names that look the same are one line. Passwords are kept as typed. */
const username = (missing: ErrorCode, maximum?: number) =>
  z
    .string({ error: missing })
    .trim()
    .normalize('NFC')
    .pipe(credential('INVALID_LINE_USERNAME', missing, maximum));

export const lineUsername = username('USERNAME_AND_PASSWORD_REQUIRED');
export const linePassword = credential('INVALID_LINE_PASSWORD');

/** The beginning of the names that are suggested for an account's new lines, before the number. */
export const namePrefix = username('USERNAME_REQUIRED', MAX_PREFIX_BYTES);

/** Name and password of a change: optional, but not empty. */
export const changedUsername = username('USERNAME_REQUIRED');
export const changedPassword = credential('INVALID_LINE_PASSWORD', 'REQUIRED');

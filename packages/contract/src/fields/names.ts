import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { invalid, STORABLE } from './fields.ts';

/**
 * Invisible characters and those that change the direction of text: Unicode's own categories
 * (unassigned and private-use code points too, since no font shows them) and some that these
 * categories lack, such as the empty Braille cell, object replacement, the replacement character
 * and fillers. With one of them a name could look like another name, or empty.
 */
const HIDDEN = String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}\u2800\ufffc\ufffd\u{16fe4}\u{1d159}`;
const hidden = new RegExp(`[${HIDDEN}]`, 'u');
/** Characters that names must not have: the hidden ones, control characters and line separators. */
const unfitForNames = new RegExp(`[${HIDDEN}\\p{Cc}\\p{Zl}\\p{Zp}]`, 'gu');
/**
 * A combining mark. A letter may have only a few: more than four would cover the names in neighbouring rows. Marks with
 * a width (as in Burmese) do not stack, but no letter has more than eight marks of all kinds.
 */
const MARK = String.raw`\p{Mc}{0,8}[\p{Mn}\p{Me}]`;
const tower = new RegExp(`((?:${MARK}){4})(?:${MARK})+`, 'gu');
const row = /(\p{M}{8})\p{M}+/gu;
/** Marks at the start of a name, which would combine with the text shown before it. */
const leadingMarks = /^[\s\p{M}]*\p{M}/u;

/** Scripts whose spelling uses zero-width joiners or non-joiners. */
const JOINING = [
  'Arabic',
  'Syriac',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const joiners = new RegExp(`(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`, 'gu');

function hasStrayMarks(text: string): boolean {
  return leadingMarks.test(text) || text.search(tower) >= 0 || text.search(row) >= 0;
}

/**
 * True for invisible characters, for marks without a letter, and for more marks than one letter may
 * have. Two names that look the same must be the same, or somebody changes the line of another customer.
 */
export function holdsHiddenLetters(text: string): boolean {
  return hidden.test(text) || hasStrayMarks(text);
}

/** The visible part of a name, for names stored before invisible characters were refused. */
export function visibleName(text: string): string {
  const letters = text.replace(unfitForNames, '').normalize('NFC');
  return letters.replace(tower, '$1').replace(row, '$1').replace(leadingMarks, '').trim();
}

/** True if a name or other single-line text contains no invisible characters. */
export function isVisible(text: string): boolean {
  const letters = text.replace(joiners, '');
  return letters.search(unfitForNames) < 0 && !hasStrayMarks(letters);
}

/** A name, trimmed and normalised to NFC, so that names that look the same are equal. */
function nameText(maximum: number, code: ErrorCode, minimum: 0 | 1) {
  return z
    .string({ error: code })
    .trim()
    .normalize('NFC')
    .min(minimum, { error: code })
    .max(maximum, { error: 'TOO_LONG' })
    .regex(STORABLE, invalid)
    .refine(isVisible, { error: 'HIDDEN_LETTERS' });
}

/** A name that must not be empty; `missing` is the error if it is. */
export function requiredName(maximum = 200, missing: ErrorCode = 'REQUIRED') {
  return nameText(maximum, missing, 1);
}

/** A name that may be empty. */
export const optionalName = nameText(200, 'INVALID_VALUE', 0).optional();

import { DATE_FORMAT_MESSAGE, parseDay } from './days.ts';
import { Refusal } from './refusal.ts';

/**
 * oscam keeps an account name in 64 bytes, the last of them the end mark: of two longer names
 * only the common beginning would be left. Passwords get the same bound.
 */
const MAX_BYTES = 63;

/**
 * Names and passwords are written unquoted into
 *
 *     F: name password            (CCcam.cfg)
 *     user = name / pwd = password   (oscam.user)
 *
 * and neither format can escape anything. So whatever ends a word, a value or a line there, or
 * starts something else, is refused. All other printable characters, '=' and ':' included, are
 * plain: oscam splits a line at its first '=', and nothing splits at ':'.
 */
const BREAKS: { pattern: RegExp; reason: string }[] = [
  // Half a surrogate pair has no UTF-8 form: different names would become the same bytes.
  { pattern: /\p{Surrogate}/u, reason: 'must be valid Unicode' },
  // CCcam separates words by spaces and oscam trims them. The line and paragraph separators and
  // the next-line character are in here because some editors and scripts break lines at them.
  { pattern: /[\s\p{Z}\u0085]/u, reason: 'must not contain spaces, tabs or line breaks' },
  // NUL ends a C string; the others garble terminals and logs, and some end lines.
  { pattern: /\p{Cc}/u, reason: 'must not contain control characters' },
  // CCcam takes the { … } sections after the password as share limits.
  { pattern: /[{}]/u, reason: "must not contain '{' or '}'" },
  // CCcam lines may carry a comment behind them. Nothing promises that it needs a space in front,
  // and a password silently cut at '#' is worse than one refused.
  { pattern: /#/u, reason: "must not contain '#'" },
  // A comment or a section to the tools that read these files as INI.
  { pattern: /^[;[]/u, reason: "must not start with ';' or '['" },
];

function check(label: string, value: string): string {
  if (value === '') throw new Refusal(400, `${label} must not be empty`);
  for (const { pattern, reason } of BREAKS) {
    if (pattern.test(value)) throw new Refusal(400, `${label} ${reason}`);
  }
  if (Buffer.byteLength(value) > MAX_BYTES) {
    throw new Refusal(400, `${label} must not be longer than ${MAX_BYTES} bytes`);
  }
  return value;
}

export function checkUsername(value: string): string {
  return check('Username', value);
}

export function checkPassword(value: string): string {
  return check('Password', value);
}

/** Takes DD-MM-YYYY, gives YYYY-MM-DD. */
export function checkExpiryDate(value: string): string {
  const day = parseDay(value);
  if (day === undefined) throw new Refusal(400, DATE_FORMAT_MESSAGE);
  return day;
}

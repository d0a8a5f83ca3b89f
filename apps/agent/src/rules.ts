import { DATE_FORMAT_MESSAGE, parseDay } from './days.ts';
import { Refusal } from './refusal.ts';

/**
 * The longest name: oscam stores names in 64 bytes including the terminating NUL and would truncate longer ones.
 * Passwords have this limit, too.
 */
const MAX_BYTES = 63;

/**
 * Names and passwords are written unquoted into
 *
 * F: name password (CCcam.cfg)
 * user = name / pwd = password (oscam.user)
 *
 * and neither format has an escape. So everything that ends a word, value or line there, or starts
 * something else, is refused. All other printable characters are safe, including '=' and ':': oscam
 * splits a line at its first '=', and nothing splits at ':'.
 */
const BREAKS: { pattern: RegExp; code: string; reason: string }[] = [
  // Lone surrogates have no UTF-8 form, so different names would become equal bytes.
  { pattern: /\p{Surrogate}/u, code: 'UNFIT_UNICODE', reason: 'must be valid Unicode' },
  // CCcam splits words at spaces and oscam trims them. Line and paragraph separators and NEL are
  // included because some editors and scripts break lines at them.
  {
    pattern: /[\s\p{Z}\u0085]/u,
    code: 'UNFIT_SPACE',
    reason: 'must not contain spaces, tabs or line breaks',
  },
  // NUL ends a C string; the others garble terminals and logs, and some end lines.
  { pattern: /\p{Cc}/u, code: 'UNFIT_CONTROL', reason: 'must not contain control characters' },
  // CCcam reads { … } after the password as share limits.
  { pattern: /[{}]/u, code: 'UNFIT_BRACE', reason: "must not contain '{' or '}'" },
  // CCcam lines may end in a comment, possibly without a space before it, and a password silently
  // cut at '#' is worse than a refusal.
  { pattern: /#/u, code: 'UNFIT_HASH', reason: "must not contain '#'" },
  // Tools that read these files as INI take such a beginning for a comment or a section.
  { pattern: /^[;[]/u, code: 'UNFIT_START', reason: "must not start with ';' or '['" },
];

function check(label: 'Username' | 'Password', value: string): string {
  const refuse = (code: string, reason: string): never => {
    const data = { field: label.toLowerCase() };
    throw new Refusal(400, `${label} ${reason}`, {}, { code, data });
  };
  if (value === '') refuse('UNFIT_EMPTY', 'must not be empty');
  for (const { pattern, code, reason } of BREAKS) {
    if (pattern.test(value)) refuse(code, reason);
  }
  if (Buffer.byteLength(value) > MAX_BYTES) {
    refuse('UNFIT_LENGTH', `must not be longer than ${MAX_BYTES} bytes`);
  }
  return value;
}

export function checkUsername(value: string): string {
  return check('Username', value);
}

export function checkPassword(value: string): string {
  return check('Password', value);
}

/** The panel's id of one of its lines, 1 to 64 characters. Throws a `Refusal` for others. */
export function checkLine(value: string | undefined): string | undefined {
  if (value === '' || (value && value.length > 64)) {
    throw new Refusal(400, 'line must have 1 to 64 characters');
  }
  return value;
}

/** Converts DD-MM-YYYY to YYYY-MM-DD; throws `Refusal` for anything else. */
export function checkExpiryDate(value: string): string {
  const day = parseDay(value);
  if (day === undefined) {
    throw new Refusal(400, DATE_FORMAT_MESSAGE, {}, { code: 'INVALID_EXPIRY_DATE' });
  }
  return day;
}

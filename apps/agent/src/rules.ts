import type { AgentRefusal } from '@linekeeper/contract/agent-refusals.ts';
import { parseDay } from '@linekeeper/contract/dates.ts';
import {
  checkOptionsText,
  checkOscamRight,
  type OscamRight,
  oscamRights,
} from '@linekeeper/contract/servers/rights.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { SaidByFile } from './row-records.ts';

/**
 * The longest name: oscam stores names in 64 bytes including the terminating NUL and would truncate longer ones.
 * Passwords have this limit, too.
 */
const MAX_BYTES = 63;

/**
 * Characters that names and passwords must not have. They are written unquoted into F: name password (CCcam.cfg) user =
 * name / pwd = password (oscam.user) and neither format has an escape. So everything that ends a word, value or line
 * there, or starts something else, is refused. All other printable characters are safe, including '=' and ':': oscam
 * splits a line at its first '=', and nothing splits at ':'.
 */
const BREAKS: [pattern: RegExp, code: AgentRefusal][] = [
  [/^$/, 'UNFIT_EMPTY'],
  // Lone surrogates have no UTF-8 form, so different names would become equal bytes.
  [/\p{Surrogate}/u, 'UNFIT_UNICODE'],
  // CCcam splits words at spaces and oscam trims them. Line and paragraph separators and NEL are
  // included because some editors and scripts break lines at them.
  [/[\s\p{Z}\u0085]/u, 'UNFIT_SPACE'],
  // NUL ends a C string; the others garble terminals and logs, and some end lines.
  [/\p{Cc}/u, 'UNFIT_CONTROL'],
  // CCcam reads { … } after the password as share limits.
  [/[{}]/u, 'UNFIT_BRACE'],
  // CCcam lines may end in a comment, possibly without a space before it, and a password silently
  // cut at '#' is worse than a refusal.
  [/#/u, 'UNFIT_HASH'],
  // Tools that read these files as INI interpret such a beginning as a comment or a section.
  [/^[;[]/u, 'UNFIT_START'],
];

/** Throws 400 `UNFIT_…` for a text that the card servers' files cannot store. */
function check(field: 'username' | 'password', value: string): string {
  const found = BREAKS.find(([pattern]) => pattern.test(value));
  if (found) throw refusalOf(400, found[1], { field });
  if (Buffer.byteLength(value) > MAX_BYTES) throw refusalOf(400, 'UNFIT_LENGTH', { field });
  return value;
}

export const checkUsername = (value: string) => check('username', value);
export const checkPassword = (value: string) => check('password', value);

/** The panel's id of one of its lines, 1 to 64 characters. Throws a 400 `Refusal` for others. */
export function checkLine(value: string | undefined): string | undefined {
  if (value === '' || (value && value.length > 64)) {
    throw new Refusal(400, 'line must have 1 to 64 characters');
  }
  return value;
}

/** Converts DD-MM-YYYY to YYYY-MM-DD. Throws 400 `INVALID_EXPIRY_DATE` for other formats and days that do not exist. */
export function checkExpiryDate(value: string): string {
  const day = /^\d{2}-/.test(value) ? parseDay(value) : null;
  if (!day) throw refusalOf(400, 'INVALID_EXPIRY_DATE');
  return day;
}

/** The value of a setting, as it is written in a file; null removes it. Throws a 400 `Refusal` for other values. */
function checkSetting(name: string, value: unknown, check: (text: string) => string | undefined) {
  const checked = typeof value === 'string' ? check(value) : value;
  if (checked === null || typeof checked === 'string') return checked;
  throw new Refusal(400, `rights.${name} is not a valid setting of a plan`);
}

/** The fields of an object, all of which must be in `known`. Throws a 400 `Refusal` for anything else. */
function fieldsOf(name: string, value: unknown, known: readonly string[]): [string, unknown][] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const fields = isObject ? Object.entries(value) : [];
  const unknown = fields.find(([key]) => !known.includes(key))?.[0];
  if (!isObject) throw new Refusal(400, `${name} must be an object`);
  if (unknown !== undefined) throw new Refusal(400, `${name}.${unknown} is unknown`);
  return fields;
}

const SETTINGS = Object.keys(oscamRights.shape) as OscamRight[];

/**
 * Settings by a line's plan, by file; undefined if the panel sends none. Throws a 400 `Refusal` for settings
 * that a plan may not have.
 */
export function checkRights(rights: unknown): SaidByFile | undefined {
  if (rights === undefined) return undefined;
  const given = new Map(fieldsOf('rights', rights, ['oscam', 'cccam']));
  const fields = new Map(fieldsOf('rights.oscam', given.get('oscam') ?? {}, SETTINGS));
  const settings = SETTINGS.filter((key) => fields.has(key)).map((key) => {
    const check = (text: string) => checkOscamRight(key, text);
    return [key, checkSetting(`oscam.${key}`, fields.get(key), check)] as const;
  });
  const options = given.has('cccam') && {
    options: checkSetting('cccam', given.get('cccam'), checkOptionsText),
  };
  return { 'oscam.user': Object.fromEntries(settings), 'CCcam.cfg': { ...options } };
}

import { parseDay } from '@linekeeper/contract/dates.ts';
import { type DecodedText, type TextRow, textRows } from './decode.ts';
import { type FileFault, isTooLong, tooLong, UnreadableRow, usernameFault } from './faults.ts';
import { emptyLine, type FoundAccounts, type FoundLine, isAscii, withFacts } from './found-line.ts';
import { withoutEnds } from './plain.ts';

interface Section {
  number: number;
  values: Map<string, Omit<TextRow, 'number'>>;
  /** True if the account has "user" twice, as when OSCam does not recognise a heading between two accounts. */
  hasTwoNames: boolean;
  /** True if OSCam does not recognise the heading, because the byte order mark of UTF-8 is part of it. */
  hasMarkedHeading: boolean;
}

/** Trims as OSCam does, which considers a blank of another alphabet a letter of the password. */
const trim = (text: string) => withoutEnds(text, ' \t\r\v\f');

/**
 * The sections named [account] as OSCam reads them: the heading is the whole row, rows that begin
 * with # are unknown keys, and the last value of a repeated key counts.
 */
function accountSections(decoded: DecodedText): { sections: Section[]; off: number[] } {
  const sections: Section[] = [];
  const off: number[] = [];
  let open: Section | null = null;
  for (const { number, text: row, isForeign } of textRows(decoded)) {
    const content = trim(row);
    if (/^[#;][#; \t]*\[account\]$/i.test(content)) off.push(number);
    if (content.length < 3) continue;
    if (content.startsWith('[') && content.endsWith(']')) {
      const hasMarkedHeading = decoded.hasMark && number === 1;
      open = { number, values: new Map(), hasTwoNames: false, hasMarkedHeading };
      if (content.toLowerCase() === '[account]') sections.push(open);
      continue;
    }
    const at = content.indexOf('=');
    if (!open || at < 0) continue;
    const key = trim(content.slice(0, at)).toLowerCase();
    if (/^[#;]/.test(key)) continue;
    const text = trim(content.slice(at + 1));
    if (key === 'user' && open.values.has(key)) open.hasTwoNames = true;
    open.values.set(key, { text, isForeign });
  }
  return { sections, off };
}

/**
 * True if OSCam reads a text as yes; null if it reads no number, or another one than its author meant. OSCam reads
 * numbers up to the first character that is not a digit: `1 # note`, `01` and `2` are all yes.
 */
function isDisabled(text: string): boolean | null {
  if (text === '') return false;
  const [, digits, rest = ''] = /^([+-]?\d+)(.*)$/.exec(text) ?? [];
  const number = Number(digits);
  const isUnclear = digits === undefined || Math.abs(number) > 127;
  // OSCam reads 0 from `0x1` and from `yes`, although their author meant the opposite.
  return isUnclear || (number === 0 && !/^(?:$|[ \t#;])/.test(rest)) ? null : number !== 0;
}

/** Year, month and day, split at - or /, each up to its first character that is not a digit. */
const OSCAM_DAY = /^(\d{4})[ \t]*[-/]+[ \t]*0*(\d{1,2})[ \t]*[-/]+[ \t]*0*(\d{1,2})(?!\d)/;

function expiryOf(text: string) {
  if (text === '') return null;
  const [, year = '', month = '', day = ''] = OSCAM_DAY.exec(text) ?? [];
  const found = parseDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  if (!found) throw new UnreadableRow('expiry_date', 'DAY_NOT_OSCAM', { text });
  return found;
}

/** The level from which OSCam shows other people's clients, which no customer has. */
const OPERATOR_LEVEL = 2;
const taken = new Set(['user', 'pwd', 'expdate', 'disabled', 'description']);

function faultOf({ values, hasTwoNames, hasMarkedHeading }: Section): FileFault | null {
  if (hasMarkedHeading) return { field: '', code: 'BYTE_ORDER_MARK', data: {} };
  if (hasTwoNames) return { field: 'username', code: 'USER_TWICE', data: {} };
  for (const [key, field] of [
    ['user', 'username'],
    ['pwd', 'password'],
  ] as const) {
    const { text = '', isForeign } = values.get(key) ?? {};
    if (isForeign && !isAscii(text)) return { field, code: 'FOREIGN_ENCODING', data: {} };
  }
  const level = values.get('monlevel')?.text ?? '';
  if (Number.parseInt(level, 10) >= OPERATOR_LEVEL) {
    return { field: '', code: 'MONITOR_ACCOUNT', data: { text: level.slice(0, 10) } };
  }
  return usernameFault(values.get('user')?.text ?? '');
}

function readSection(section: Section): FoundLine {
  const { number, values } = section;
  const textOf = (key: string) => values.get(key)?.text ?? '';
  if ([...taken].some((key) => isTooLong(textOf(key)))) {
    return { ...emptyLine, number, username: textOf('user'), password: '', fault: tooLong };
  }
  const notes = textOf('description');
  const disabled = textOf('disabled');
  const isSuspended = isDisabled(disabled);
  const line = {
    ...emptyLine,
    number,
    username: textOf('user'),
    password: textOf('pwd'),
    texts: notes === '' ? {} : { notes },
    isSuspended,
    asked: isSuspended === null ? [{ field: 'disabled' as const, value: disabled }] : [],
    notTaken: [...values].flatMap(([key, { text }]) =>
      taken.has(key) || text === '' ? [] : [key],
    ),
  };
  const fault = faultOf(section);
  return fault
    ? { ...line, fault }
    : withFacts(line, () => ({ expiry: expiryOf(textOf('expdate')) }));
}

/** The accounts of an oscam.user, and the rows of headings that a comment sign switches off. */
export function readOscam(decoded: DecodedText): FoundAccounts {
  const { sections, off } = accountSections(decoded);
  return { lines: sections.map(readSection), switchedOff: [], switchedOffRows: off };
}

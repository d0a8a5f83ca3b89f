import { lineDetailNames } from '@linekeeper/contract/fields/line-details.ts';

/**
 * Reasons for refusing a row of a file, with the exact English sentences. The page translates by code. No sentence
 * repeats a password.
 */
export const fileFaults = {
  CUT_OFF:
    'The row has {cells} of {columns} cells and may be cut off. Include its empty cells too.',
  TOO_MANY_CELLS:
    'The row has {cells} cells, but there are {columns} headings. Put quotes around any cell that contains the separator.',
  CELL_TOO_LONG: 'The row has a cell or a comment of more than 4 KB',
  FOREIGN_ENCODING:
    'These characters are in a different encoding from the rest of the file. Write the row in UTF-8.',
  NAME_WOULD_CHANGE: 'The username has spaces or combined characters that the panel would change',
  NAME_TWICE: 'The same username is in row {row}',
  NAME_GUARDED:
    'The value begins with an apostrophe, perhaps added by a spreadsheet. Remove the apostrophe.',
  NUMBER_SPOILED: 'A spreadsheet has turned this into a number and lost digits',
  PASSWORD_HASH: 'This is the hash of a password, so no line can be created from it',
  PASSWORD_MASKED:
    'The file has only a placeholder instead of the password. Export it with passwords.',
  DAY_MISSING: 'The row has no expiry date',
  DAY_NOT_IN_CALENDAR: '{text} is not a date between 1900 and 2099',
  DAY_AMBIGUOUS: '{text} could be two different days. Write it as YYYY-MM-DD or DD.MM.YYYY.',
  DAY_UNREADABLE: '{text} cannot be read as a date',
  DAY_SERIAL: '{text} is a spreadsheet’s number for {day}. Write it as a date.',
  DAY_NOT_OSCAM:
    '{text} is not written as year-month-day, and OSCam reads it as a different day. Write it as YYYY-MM-DD.',
  DAYS_SEVERAL: 'The row has several dates, and it is unclear which one is the expiry date',
  DAY_OTHER_ORDER: '{text} is not written in the order chosen for dates in comments',
  DATE_WITHOUT_CHOICE: 'Choose how dates in comments are written: the comment has {text}',
  STATE_WITHOUT_CHOICE: 'Choose what "{text}" means: on, off or leave out',
  OPTIONS_UNKNOWN: '"{text}" is not an option of an F line. A space may have cut the password.',
  USER_TWICE:
    'The section has "user" twice. Put a separate [account] row above each account, and "user" below it once.',
  BYTE_ORDER_MARK:
    'OSCam does not know this account, because the file begins with a byte order mark. Save the file as UTF-8 without BOM.',
  MONITOR_ACCOUNT: 'With monlevel {text}, this account is a login to OSCam itself, not a customer',
  MONTHS_AND_DAY: 'The row has both months and a date. Leave one of them out.',
} as const satisfies Record<string, string>;
export type FileFaultCode = keyof typeof fileFaults;

export interface FileFault {
  /** The invalid field; '' for the row as a whole. */
  field: LineField | '';
  code: FileFaultCode;
  data: Readonly<Record<string, string | number>>;
}

export const lineFields = [
  'username',
  'password',
  'subscription_months',
  'is_trial',
  'expiry_date',
  'server',
  'plan',
  'owner',
  ...lineDetailNames,
  'enabled',
  'disabled',
  'status',
  'added_date',
  'protocol',
  'host_port',
] as const;
export type LineField = (typeof lineFields)[number];

/** Characters of a cell or comment, at most; longer ones do not occur in lists of customers, and are slow to read. */
const MOST_LETTERS = 4096;
export const isTooLong = (text: string) => text.length > MOST_LETTERS;
export const tooLong: FileFault = { field: '', code: 'CELL_TOO_LONG', data: {} };

/**
 * The fault of a username that would change when it is stored. Usernames are stored trimmed and in composed letters,
 * so that names that look the same are one line. Their card server compares bytes, so a changed name would cut its
 * customer off.
 */
export function usernameFault(username: string): FileFault | null {
  const stored = username.trim().normalize('NFC');
  return stored === username ? null : { field: 'username', code: 'NAME_WOULD_CHANGE', data: {} };
}

const SHOWN_LETTERS = 40;

/** An error for a row that cannot be read; the reader of the row catches it. */
export class UnreadableRow extends Error {
  readonly fault: FileFault;

  constructor(field: LineField | '', code: FileFaultCode, data: FileFault['data'] = {}) {
    super(code);
    const text = data.text;
    const isLong = typeof text === 'string' && text.length > SHOWN_LETTERS;
    const shown = isLong ? { ...data, text: text.slice(0, SHOWN_LETTERS) } : data;
    this.fault = { field, code, data: shown };
  }
}

/** The result of `work`, or the fault that it throws. */
export function orFault<Result>(work: () => Result): Result | FileFault {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableRow) return error.fault;
    throw error;
  }
}

export function faultText({ code, data }: FileFault): string {
  return fileFaults[code].replace(/\{(\w+)\}/g, (_, name: string) => String(data[name] ?? ''));
}

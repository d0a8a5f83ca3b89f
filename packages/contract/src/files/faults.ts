/**
 * Why a row of a file cannot be taken, with the exact English sentences. The page translates by code.
 * No sentence repeats a password.
 */
export const fileFaults = {
  CUT_OFF: 'The row has {cells} of {columns} cells: it may be cut off. Write its empty cells too',
  TOO_MANY_CELLS:
    'The row has {cells} cells, and there are {columns} headings: put quotes around a cell that holds the separator',
  FOREIGN_ENCODING:
    'These letters are in another encoding than the rest of the file: write the row in UTF-8',
  NAME_WOULD_CHANGE: 'The username has blanks or combined letters that the panel would change',
  NAME_TWICE: 'The same username is in row {row}',
  NAME_GUARDED: 'It begins with an apostrophe, which may be the guard of a spreadsheet: remove it',
  NUMBER_SPOILED: 'A spreadsheet has turned it into a number and lost digits',
  PASSWORD_HASH: 'This is the hash of a password, from which no line can be made',
  DAY_MISSING: 'The row has no expiry date',
  DAY_NOT_IN_CALENDAR: '{text} is no day from 1900 to 2099',
  DAY_AMBIGUOUS: '{text} may be two different days: write it as YYYY-MM-DD or DD.MM.YYYY',
  DAY_UNREADABLE: '{text} is no date that can be read',
  DAY_SERIAL: '{text} is the number by which a spreadsheet means {day}: write it as a date',
  DAY_NOT_OSCAM: '{text} is no year-month-day, and OSCam reads another day: write it as YYYY-MM-DD',
  DAYS_SEVERAL: 'The row holds several dates: it is not clear which is the end',
  DAY_PERHAPS_PAID: 'It is not clear whether {text} is the end: write "until" in front of it',
  DAY_AMONG_OPTIONS: '{text} stands among the options: write it behind a #',
  OPTIONS_UNKNOWN: '"{text}" is no option of an F line: a blank may have cut the password',
  STATE_UNKNOWN: '"{text}" says neither active nor disabled',
  STATE_ENDED: '"{text}", and there is no day before today beside it',
  STATE_NOT_OSCAM: '"{text}" means enabled to OSCam: write 1 or 0',
  MONITOR_ACCOUNT: 'With monlevel {text} this is a login to OSCam, not of a customer',
  MONTHS_AND_DAY: 'The row has both months and a day: leave one of them out',
  STARTS_LATER: 'It begins on {day} only',
} as const satisfies Record<string, string>;
export type FileFaultCode = keyof typeof fileFaults;

export interface FileFault {
  /** '' is the row as a whole. */
  field: LineField | '';
  code: FileFaultCode;
  data: Readonly<Record<string, string | number>>;
}

/** What a file can say of a line. */
export const lineFields = [
  'username',
  'password',
  'subscription_months',
  'is_trial',
  'expiry_date',
  'server',
  'owner',
  'name',
  'company',
  'email',
  'notes',
  'enabled',
  'disabled',
  'status',
  'added_date',
  'info',
  'live_channel',
  'protocol',
  'host_port',
  'user_value',
  'role',
  'avatar_url',
] as const;
export type LineField = (typeof lineFields)[number];

const SHOWN_LETTERS = 40;

/** Thrown where a row cannot be read; caught by the reader of its row. */
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

import type { Said, Spelling } from '../row-records.ts';
import type { Account } from '../store.ts';

/** An account in a card server's file, with all settings that its owner made on it. */
export type Row = {
  /** The row's lines, byte for byte. */
  lines: string[];
  /** The name, in UTF-8 if the agent knows it, regardless of its encoding in the lines. */
  name: string;
  /** The encoding of the name in the lines, if it is not UTF-8. */
  encoding?: string | undefined;
  /** The password; undefined if the row has none. */
  password: string | undefined;
  /** True if the card server refuses the account although the file has its row. */
  isOff: boolean;
  /** The last day as YYYY-MM-DD, empty without one; undefined if the file has no days. */
  day: string | undefined;
  /** Settings of the row other than name, password, day and being off. */
  rest: string;
  /** The part of `rest` that a setting of the agent gives to new rows, in its normal form. */
  grant: string;
  /** True if `rest` has nothing but `grant`. */
  isPlain: boolean;
};

/** Settings of a new row, besides the account. */
type Settings = {
  /** Settings from an earlier row of the account; undefined if there is only the grant. */
  rest: string | undefined;
  /** The grant; undefined leaves the grant within `rest` unchanged. */
  grant: string | undefined;
  spelling: Spelling;
  /** Settings that the plan demands, besides the grant. */
  said: Said;
};

/**
 * Reads and writes the file of one card server. Lines, names and passwords read from a file are
 * latin1 strings, one character per byte, because the operator's file need not be UTF-8 and must stay
 * unchanged. Blanks are therefore listed one by one: \s and trim() include 0xA0, which in UTF-8 is
 * half of 'à'.
 */
export type Format = {
  fileName: string;
  /** The name of the setting in which the grant is written, if a plan sets it. */
  grantedSetting: string;
  /** True if the card server saves the file on its own, so that its comments are lost. */
  isSavedByServer: boolean;
  /** The rows among the lines, and each line outside of rows. */
  split(lines: string[]): (Row | string)[];
  /** The lines of one account as bytes, each ending in a line feed. */
  write(account: Account, settings: Settings): string;
  /**
   * The lines of a row with the account's password and day, switched on, with the settings of the
   * plan, and with `grant` unless it is undefined. Lines that need no change stay byte for byte.
   */
  edit(row: Row, account: Account, settings: Omit<Settings, 'rest'>): string[];
  /** True if a comment is the row of a name that its operator switched off. */
  isRowInComment(line: string, name: string): boolean;
};

export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** True for space, tab, line feed, vertical tab, form feed and carriage return. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Index of the first character from `start` on that is not a blank. */
export function skipBlanks(text: string, start = 0): number {
  let index = start;
  while (index < text.length && isBlank(text.charCodeAt(index))) index += 1;
  return index;
}

/** Index after the last character before `end` that is not a blank. */
export function endOfText(text: string, end = text.length): number {
  let index = end;
  while (index > 0 && isBlank(text.charCodeAt(index - 1))) index -= 1;
  return index;
}

/** The text without blanks at its ends. No pattern is used, because each line of a file is trimmed with every write. */
export function trimBlanks(text: string): string {
  const start = skipBlanks(text);
  return text.slice(start, Math.max(start, endOfText(text)));
}

import type { Account } from '../store.ts';

/**
 * Reads and writes the file of one card server. Lines and names read from a file are latin1
 * strings, one character per byte, because the operator's file need not be UTF-8 and must stay
 * unchanged. Blanks are therefore listed one by one: \s and trim() include 0xA0, which in UTF-8 is
 * half of 'à'.
 */
export type Format = {
  fileName: string;
  /** The lines of one account, each ending in a line feed. */
  write(account: Account): string;
  /** The account names these lines define. */
  namesIn(lines: string[]): Set<string>;
  /**
   * Number of lines from `index` on that form one account exactly as `write` formats it, under one
   * of these names; 0 if none.
   */
  ownLinesAt(lines: string[], index: number, names: ReadonlySet<string>): number;
};

export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function withoutLineEnd(line: string): string {
  return line.replace(/\r?\n$/, '');
}

export function trimBlanks(text: string): string {
  return text.replace(/^[ \t\r\n\v\f]+/, '').replace(/[ \t\r\n\v\f]+$/, '');
}

/** The operator may use more blanks than we do; a commented line defines no account. */
const FRIEND = /^[ \t]*F[ \t]*:[ \t]*([^ \t\r\n{]+)/i;
const OWN_FRIEND = /^F: ([^ ]+) [^ ]+$/;

export const cccam: Format = {
  fileName: 'CCcam.cfg',
  write: ({ username, password }) => `F: ${username} ${password}\n`,

  namesIn(lines) {
    const names = new Set<string>();
    for (const line of lines) {
      const name = FRIEND.exec(line)?.[1];
      if (name !== undefined) names.add(name);
    }
    return names;
  },

  ownLinesAt(lines, index, names) {
    const name = OWN_FRIEND.exec(withoutLineEnd(lines[index] ?? ''))?.[1];
    return name !== undefined && names.has(name) ? 1 : 0;
  },
};

const SECTION = /^\[(.*)\]$/;
const USER = /^user[ \t]*=(.*)$/i;
const OWN_SECTION = [
  /^\[account\]$/,
  /^user = (.*)$/,
  /^pwd = .*$/,
  /^expdate = \d{4}-\d{2}-\d{2}$/,
  /^group = 1$/,
];

export const oscam: Format = {
  fileName: 'oscam.user',
  // oscam includes the day of expdate, as we do. The readers in oscam's examples are in group 1; an
  // account without a group would have access to no card.
  write: ({ username, password, expiry_date }) =>
    `[account]\nuser = ${username}\npwd = ${password}\nexpdate = ${expiry_date}\ngroup = 1\n`,

  namesIn(lines) {
    const names = new Set<string>();
    let inAccount = false;
    for (const line of lines) {
      const setting = trimBlanks(line);
      const section = SECTION.exec(setting)?.[1];
      if (section !== undefined) inAccount = section.toLowerCase() === 'account';
      const name = inAccount ? USER.exec(setting)?.[1] : undefined;
      if (name) names.add(trimBlanks(name));
    }
    return names;
  },

  ownLinesAt(lines, index, names) {
    const matches = OWN_SECTION.map((pattern, offset) =>
      pattern.exec(withoutLineEnd(lines[index + offset] ?? '')),
    );
    const name = matches[1]?.[1];
    const own = matches.every((match) => match !== null) && name !== undefined && names.has(name);
    return own ? OWN_SECTION.length : 0;
  },
};

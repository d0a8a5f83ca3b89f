import type { Account } from './store.ts';

/**
 * How one card server's file is written and read. Lines read from a file and names found in them
 * are strings with one character a byte (latin1): an operator's file need not be UTF-8 and has to
 * stay as it is. So blanks are named one by one here. \s and trim() would take 0xA0 for a space,
 * and in UTF-8 that byte is half of 'à'.
 */
export type Format = {
  fileName: string;
  /** The lines of one account as plain text, each ending in a line feed. */
  write(account: Account): string;
  /** The account names these lines define. */
  namesIn(lines: string[]): Set<string>;
  /** How many lines from here on are one account as `write` puts it, with one of these names. */
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

/** A line the operator typed may have more blanks than ours; a commented one names nobody. */
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
  // oscam takes expdate through the end of that day, as we do. group 1 is the one oscam's own
  // examples put readers in; without any group an account would see no card at all.
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

import { type DecodedText, type TextRow, textRows } from './decode.ts';
import { type FileFault, isTooLong, tooLong, usernameFault } from './faults.ts';
import {
  emptyLine,
  type FoundAccounts,
  type FoundLine,
  type FriendOption,
  isAscii,
} from './found-line.ts';

/** An F line: name password [hops [emus [EMMs]]] [{ … } [{ … } [{ … }]]] [host] [# comment] */
const FRIEND = /^[ \t]*F[ \t]*:(.*)$/i;
/** A row after a comment sign. CCcam has no flag for a suspended line, so operators put a sign in front of its row. */
const SWITCHED_OFF = /^[ \t]*[#;/!*.,_@%$~+=|&^>-][#;/!*.,_@%$~+=|&^> \t-]*F[ \t]*:(.*)$/i;
/** A placeholder in the readme's syntax row. */
const PLACEHOLDER = /^<.*>$/;
/** The words of a syntax row in a comment. */
const SYNTAX = /^(?:user(?:name)?|name|login|benutzer) (?:pass(?:word|wd|wort)?|pwd|pw)$/i;
/** Start of a comment after the password. CCcam itself only supports comments as whole rows. */
const COMMENT = /(?<=[ \t})])(?:#|;|\/\/)/;

/** The parts of the row after `F:`. Only ASCII blanks separate them; any other byte belongs to a name. */
function partsOf(text: string) {
  const [, username = '', password = '', rest = ''] =
    /^[ \t]*([^ \t]*)[ \t]*([^ \t]*)(.*)$/.exec(text) ?? [];
  const isComment = (word: string) => /^(?:#|;|\/\/)/.test(word);
  const none = { username: '', password: '', options: '' };
  if (isComment(username)) return { ...none, comment: text.trim() };
  if (isComment(password)) return { ...none, username, comment: `${password}${rest}` };
  const at = COMMENT.exec(rest)?.index ?? rest.length;
  return { username, password, options: rest.slice(0, at), comment: rest.slice(at) };
}

/** A text that may be limits or time slots. */
const LIMITS = /^[\da-f:,.\s-]*$/i;
/** A host by name or number. A single word does not count, because it may be the end of a password, or a note. */
const HOST = /^(?:[\p{L}\d_-]+\.)+(?:\p{L}[\p{L}\d-]*|\d{1,3})$/u;

/** The kinds of options after name and password, and the first part that is not an option. */
function optionsOf(text: string) {
  const braces = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inner = '']) => inner.trim());
  const words = text
    .replace(/\{[^{}]*\}/g, ' ')
    .split(/[ \t()]+/)
    .filter(Boolean);
  const isNumber = (word = '') => /^(?:-?\d+|yes|no)$/i.test(word);
  const numbers = words.findIndex((word) => !isNumber(word));
  const count = numbers < 0 ? words.length : numbers;
  const hasHost = HOST.test(words[count] ?? '');
  const kinds: readonly FriendOption[] = ['shareLimits', 'channelLimits', 'timeSlots'];
  const taken: FriendOption[] = [];
  if (count > 0) taken.push('hops');
  if (count > 1) taken.push('rights');
  taken.push(...kinds.filter((_, index) => braces[index]));
  if (hasHost) taken.push('hosts');
  const [unknown = braces.find((inner) => !LIMITS.test(inner))] = words.slice(
    count + Number(hasHost),
  );
  return { taken, unknown };
}

function readFriend({ number, isForeign }: TextRow, text: string): FoundLine {
  const friend = partsOf(text);
  const { username, password } = friend;
  if (isTooLong(text)) return { ...emptyLine, number, username, password, fault: tooLong };
  const { taken, unknown } = optionsOf(friend.options);
  const comment = friend.comment.replace(/^[#;/ \t]+/, '').trim();
  const surplus: FileFault | null =
    unknown === undefined
      ? null
      : { field: 'password', code: 'OPTIONS_UNKNOWN', data: { text: unknown.slice(0, 40) } };
  return {
    ...emptyLine,
    number,
    username,
    password,
    texts: comment ? { notes: comment } : {},
    comment,
    notTaken: taken,
    fault: faultOf(username, password, isForeign) ?? surplus,
  };
}

function faultOf(username: string, password: string, isForeign: boolean): FileFault | null {
  if (isForeign && !isAscii(username + password)) {
    const field = isAscii(username) ? 'password' : 'username';
    return { field, code: 'FOREIGN_ENCODING', data: {} };
  }
  return usernameFault(username);
}

/** True if a row that is switched off was an account, and not the readme's syntax or a sentence. */
function isAccount(text: string): boolean {
  const { username, password, options } = partsOf(text);
  if (username === '' || password === '') return false;
  if (PLACEHOLDER.test(username) || PLACEHOLDER.test(password)) return false;
  return !SYNTAX.test(`${username} ${password}`) && !/^\s*\p{L}/u.test(options);
}

/** The accounts of a CCcam.cfg, and those that a comment sign switches off. */
export function readCccam(decoded: DecodedText): FoundAccounts {
  const lines: FoundLine[] = [];
  const switchedOff: FoundLine[] = [];
  for (const row of textRows(decoded)) {
    const running = FRIEND.exec(row.text)?.[1];
    if (running !== undefined) lines.push(readFriend(row, running));
    const off = SWITCHED_OFF.exec(row.text)?.[1];
    if (off !== undefined && isAccount(off)) {
      switchedOff.push({ ...readFriend(row, off), isSuspended: true });
    }
  }
  return { lines, switchedOff, switchedOffRows: switchedOff.map(({ number }) => number) };
}

import type { Day } from '../dates.ts';
import { dayInComment, looksLikeDay } from './day-in-comment.ts';
import type { DecodedText } from './decode.ts';
import { type FileFault, isTooLong, tooLong, UnreadableRow } from './faults.ts';
import { emptyLine, type FoundLine, type FriendOption, isAscii } from './found-line.ts';
import { refuseOffInNotes } from './notes.ts';
import { offWordIn } from './states.ts';
import { type TextRow, textRows } from './text-rows.ts';
import { usernameFault } from './username-fault.ts';

/** F: name password [hops [emus [EMMs]]] [{ … } [{ … } [{ … }]]] [host] [# comment] */
const FRIEND = /^[ \t]*F[ \t]*:(.*)$/i;
/**
 * A row behind a comment sign. CCcam has no flag for a suspended line, so operators put a sign in front of its row.
 */
const SWITCHED_OFF = /^[ \t]*[#;/!*.,_@%$~+=|&^>-][#;/!*.,_@%$~+=|&^> \t-]*F[ \t]*:(.*)$/i;
/** The names of the parts in the readme's syntax row. */
const PLACEHOLDER = /^<.*>$/;
/** Syntax rows in other people's comments. */
const SYNTAX = /^(?:user(?:name)?|name|login|benutzer) (?:pass(?:word|wd|wort)?|pwd|pw)$/i;
/** Start of a comment behind the password. CCcam itself knows comments as whole rows only. */
const COMMENT = /(?<=[ \t})])(?:#|;|\/\/)/;

interface Friend {
  username: string;
  password: string;
  options: string;
  comment: string | null;
}

/** The parts of the row behind `F:`. Only ASCII blanks separate parts; any other byte belongs to a name. */
function partsOf(text: string): Friend {
  const [, username = '', password = '', rest = ''] =
    /^[ \t]*([^ \t]*)[ \t]*([^ \t]*)(.*)$/.exec(text) ?? [];
  if (/^(?:#|;|\/\/)/.test(username)) {
    return { username: '', password: '', options: '', comment: text.trim() };
  }
  if (/^(?:#|;|\/\/)/.test(password)) {
    return { username, password: '', options: '', comment: `${password}${rest}` };
  }
  const at = COMMENT.exec(rest)?.index;
  const options = at === undefined ? rest : rest.slice(0, at);
  const comment = at === undefined ? null : rest.slice(at);
  return { username, password, options, comment };
}

interface Options {
  taken: FriendOption[];
  /** The text outside of braces. */
  words: string;
  /** Words that are not an option of an F line. */
  others: string[];
  braces: string[];
}

const HOST = /^[\p{L}\d](?:[\p{L}\d.:_-]*[\p{L}\d])?$/u;

function optionsOf(text: string): Options {
  const braces = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inner = '']) => inner.trim());
  const words = text
    .replace(/\{[^{}]*\}/g, ' ')
    .split(/[ \t()]+/)
    .filter(Boolean);
  const all = words.join(' ');
  const numbers: string[] = [];
  while (/^(?:-?\d+|yes|no)$/i.test(words[0] ?? '')) numbers.push(words.shift() ?? '');
  const isHost = HOST.test(words[0] ?? '') && (numbers.length > 0 || /[.:]/.test(words[0] ?? ''));
  // "F: a b 1 0 0 gesperrt" names no host.
  const isMeant = looksLikeDay(words[0] ?? '') || offWordIn(words[0] ?? '') !== null;
  const host = isHost && !isMeant ? words.shift() : undefined;
  const kinds: readonly FriendOption[] = ['shareLimits', 'channelLimits', 'timeSlots'];
  const taken: FriendOption[] = [];
  if (numbers.length > 0) taken.push('hops');
  if (numbers.length > 1) taken.push('rights');
  taken.push(...kinds.filter((_, index) => braces[index] && !looksLikeDay(braces[index] ?? '')));
  if (host !== undefined) taken.push('hosts');
  const off = braces.filter((inner) => offWordIn(inner) !== null);
  return { taken, words: all, others: [...words, ...off], braces };
}

/** A comment that begins without a blank belongs to the password, to CCcam. */
function refuseDayInPassword(password: string): void {
  const [text = ''] = /(?<=.)(?:;|\/\/).*$/.exec(password) ?? [];
  if (!looksLikeDay(text)) return;
  throw new UnreadableRow('password', 'DAY_IN_PASSWORD');
}

/**
 * The last day of an F line. CCcam ignores a day among the options, which may also be the end of a password of two
 * words.
 */
function dayOf(
  { password, comment }: Friend,
  { words, others, braces }: Options,
  today: Day,
): Day | null {
  refuseDayInPassword(password);
  if (looksLikeDay(words)) {
    const rest = words.replace(/^(?:-?\d+ ){1,3}/, '');
    const text = looksLikeDay(rest) ? rest : words;
    throw new UnreadableRow('expiry_date', 'DAY_AMONG_OPTIONS', { text });
  }
  if (others.length > 0) {
    throw new UnreadableRow('password', 'OPTIONS_UNKNOWN', { text: others[0] ?? '' });
  }
  const dated = braces.filter(looksLikeDay).join(' ');
  return dayInComment(`${dated} ${withoutSigns(comment)}`.trim(), today);
}

const withoutSigns = (comment: string | null) => (comment ?? '').replace(/^[#;/ \t]+/, '').trim();

function readFriend(
  { number, isForeign }: TextRow,
  text: string,
  today: Day,
  isRunning: boolean,
): FoundLine {
  const friend = partsOf(text);
  const { username, password, comment } = friend;
  if (isTooLong(text)) return { ...emptyLine, number, username, password, fault: tooLong };
  const options = optionsOf(friend.options);
  const notes = withoutSigns(comment);
  const line = {
    ...emptyLine,
    number,
    username,
    password,
    texts: notes ? { notes } : {},
    notTaken: options.taken,
  };
  try {
    const fault = faultOf(friend, isForeign);
    if (fault) return { ...line, fault };
    const expiry = dayOf(friend, options, today);
    if (isRunning) refuseOffInNotes(notes, expiry, today);
    return { ...line, expiry };
  } catch (error) {
    if (error instanceof UnreadableRow) return { ...line, fault: error.fault };
    throw error;
  }
}

function faultOf({ username, password }: Friend, isForeign: boolean): FileFault | null {
  if (isForeign && !isAscii(username + password)) {
    const field = isAscii(username) ? 'password' : 'username';
    return { field, code: 'FOREIGN_ENCODING', data: {} };
  }
  return usernameFault(username);
}

/** Whether a row that is switched off was an account once, and not the readme's syntax or a sentence. */
function isAccount(text: string): boolean {
  const { username, password, options } = partsOf(text);
  if (username === '' || password === '') return false;
  if (PLACEHOLDER.test(username) || PLACEHOLDER.test(password)) return false;
  if (SYNTAX.test(`${username} ${password}`)) return false;
  if (isTooLong(text)) return true;
  return optionsOf(options).others.every((word) => looksLikeDay(word) || offWordIn(word) !== null);
}

/** The accounts of a CCcam.cfg, and those that a comment sign switches off. */
export function readCccam(
  decoded: DecodedText,
  today: Day,
): {
  lines: FoundLine[];
  switchedOff: FoundLine[];
} {
  const lines: FoundLine[] = [];
  const switchedOff: FoundLine[] = [];
  for (const row of textRows(decoded)) {
    const running = FRIEND.exec(row.text)?.[1];
    if (running !== undefined) lines.push(readFriend(row, running, today, true));
    const off = SWITCHED_OFF.exec(row.text)?.[1];
    if (off !== undefined && isAccount(off)) {
      switchedOff.push({ ...readFriend(row, off, today, false), isSuspended: true });
    }
  }
  return { lines, switchedOff };
}

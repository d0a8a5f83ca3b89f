import { isText, respelled } from '@linekeeper/oscam/bytes.ts';
import { wordsIn } from '../spelling.ts';
import { type Format, type Row, skipBlanks, trimBlanks } from './formats.ts';

/** Blanks as operators use them. A commented line is not an account. */
const FRIEND =
  /^([ \t]*F[ \t]*:[ \t]*)([^ \t\r\n{]+)(?:([ \t]+)([^ \t\r\n{]+))?([^\r\n]*)(\r?\n?)$/i;
const COMMENT = /^[ \t]*#+[ \t#]*(?=F[ \t]*:)/i;

const MOST_HOPS = 255;

/** `caid:id`, with hops in the first list, with a service in the second; hexadecimal but the hops. */
const SHARE = /^[0-9a-f]{1,4}:[0-9a-f]{1,6}(:\d{1,3})?$/i;
const SERVICE = /^[0-9a-f]{1,4}:[0-9a-f]{1,6}:[0-9a-f]{1,4}$/i;
const HOURS = /^([01]?\d|2[0-4]):[0-5]\d-([01]?\d|2[0-4]):[0-5]\d$/;
const LISTS = [SHARE, SERVICE, HOURS];
const HOST = /^(?!\d+$)[\p{L}\p{N}.:-]+$/u;

function areItems(list: string, item: RegExp | undefined): boolean {
  const items = list.trim() === '' ? [] : list.split(',').map((part) => part.trim());
  return item !== undefined && items.every((text) => item.test(text));
}

/** Hops, emus and card updates, up to three lists in braces, and a host; each but the first may be missing. */
function areOptions(text: string): boolean {
  const numbers = /^(?:\d+(?:\s+|(?=\{)|$)){0,3}/.exec(text)?.[0] ?? '';
  const [hops = '0', ...flags] = numbers.trim().split(/\s+/);
  if (numbers === '') return text === '';
  if (Number(hops) > MOST_HOPS || flags.some((flag) => !/^[01]$/.test(flag))) return false;
  let rest = text.slice(numbers.length);
  for (let count = 0; rest.startsWith('{'); count += 1) {
    const end = rest.indexOf('}');
    if (end === -1 || !areItems(rest.slice(1, end), LISTS[count])) return false;
    rest = rest.slice(end + 1).trimStart();
  }
  return rest === '' || HOST.test(rest);
}

/** Checks the options of new F lines behind name and password. */
export function checkOptions(text: string): string {
  const options = text.replace(/[ \t]+/g, ' ').trim();
  // A # would begin a comment, and a control character end the line.
  if (!/[#\p{Cc}]/u.test(options) && areOptions(options)) return options;
  throw new Error(
    `CCCAM_F_OPTIONS '${text}' is not what follows F: user password: give hops, and 0 or 1 for emus and ` +
      'for card updates, then lists in braces, as in 1 0 1 { 0:0:1 }',
  );
}

function rowOf(line: string): Row | undefined {
  const first = line[skipBlanks(line)];
  if (first !== 'F' && first !== 'f') return undefined;
  const match = FRIEND.exec(line);
  if (!match) return undefined;
  const [, , name = '', , password, rest = ''] = match;
  const grant = trimBlanks(rest).replace(/[ \t]+/g, ' ');
  const settings = { isOff: false, day: undefined, rest, grant, isPlain: true, hasDoubles: false };
  return { lines: [line], name, password, ...settings };
}

/** Text behind name and password, with the blank before it. */
function behind(grant: string): string {
  return grant === '' ? '' : ` ${grant}`;
}

export const cccam: Format = {
  fileName: 'CCcam.cfg',
  isSavedByServer: false,

  split: (lines) => lines.map((line) => rowOf(line) ?? line),

  write(account, { rest, grant, spelling }) {
    const text = grant === undefined ? (rest ?? '') : behind(grant);
    const { username, password } = wordsIn(spelling, account);
    return `F: ${username} ${password}${text}\n`;
  },

  edit(row, account, { grant, spelling }) {
    const isSame = grant === undefined || grant === row.grant;
    const hasPassword = isText(row.password ?? '', account.password);
    if (isSame && hasPassword) return row.lines;
    const line = row.lines[0] ?? '';
    const [, head = '', name = '', gap = ' ', old, rest = '', end = ''] = FRIEND.exec(line) ?? [];
    const text = isSame ? rest : behind(grant);
    const word = hasPassword ? old : wordsIn(spelling, account).password;
    return [`${head}${name}${gap}${word}${text}${end}`];
  },

  isRowInComment(line, name) {
    const found = COMMENT.test(line) ? rowOf(line.replace(COMMENT, ''))?.name : undefined;
    return found !== undefined && (found === name || respelled(found).includes(name));
  },
};

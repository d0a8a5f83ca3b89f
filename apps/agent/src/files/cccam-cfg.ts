import { isText, respelled } from '@linekeeper/oscam/bytes.ts';
import { wordsIn } from '../row-records.ts';
import { endOfText, type Format, type Row, skipBlanks, trimBlanks } from './formats.ts';

/** An F line, with blanks as operators use them. A commented line is not an account. */
const FRIEND =
  /^([ \t]*F[ \t]*:[ \t]*)([^ \t\r\n{]+)(?:([ \t]+)([^ \t\r\n{]+))?([^\r\n]*)(\r?\n?)$/i;
const COMMENT = /^[ \t]*#+[ \t#]*(?=F[ \t]*:)/i;

const MOST_HOPS = 255;

/** An entry of a list, `caid:id` in hexadecimal: with hops in the first list, with a service in the second. */
const SHARE = '[0-9a-f]{1,4}:[0-9a-f]{1,6}(?::\\d{1,3})?';
const SERVICE = '[0-9a-f]{1,4}:[0-9a-f]{1,6}:[0-9a-f]{1,4}';
const TIME = '(?:[01]?\\d|2[0-4]):[0-5]\\d';
const listOf = (item: string) => `\\{ ?(?:${item}(?: ?, ?${item})*)? ?\\}`;
const LISTS = `${listOf(SHARE)}(?: ?${listOf(SERVICE)}(?: ?${listOf(`${TIME}-${TIME}`)})?)?`;
const HOST = '(?!\\d+$)[\\p{L}\\p{N}.:-]+';
/** Hops, emus and card updates, up to three lists in braces, and a host; each but the first may be missing. */
const OPTIONS = new RegExp(`^(\\d+)(?: [01]){0,2}(?: ?${LISTS}(?: ?${HOST})?| ${HOST})?$`, 'iu');

/** The options of new F lines after name and password, with single blanks. Throws for an invalid text. */
export function checkOptions(text: string): string {
  const options = text.replace(/[ \t]+/g, ' ').trim();
  const hops = OPTIONS.exec(options)?.[1];
  if (options === '' || (hops && Number(hops) <= MOST_HOPS)) return options;
  throw new Error(
    `CCCAM_F_OPTIONS '${text}' is not a valid list of options for an F line: give hops, then 0 or 1 for emus and ` +
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
  // A row with a comment of the operator behind its options is not plain.
  const settings = { isOff: false, day: undefined, rest, grant, isPlain: !rest.includes('#') };
  return { lines: [line], name, password, ...settings };
}

/** Text after name and password, with the blank before it, and the note of the row. */
function behind(grant: string, rest: string): string {
  const hash = rest.indexOf('#');
  const note = hash < 0 ? '' : rest.slice(endOfText(rest, hash));
  return `${grant === '' ? '' : ` ${grant}`}${note}`;
}

export const cccam: Format = {
  fileName: 'CCcam.cfg',
  grantedSetting: 'options',
  isSavedByServer: false,

  split: (lines) => lines.map((line) => rowOf(line) ?? line),

  write(account, { rest, grant, spelling }) {
    const text = grant === undefined ? (rest ?? '') : behind(grant, rest ?? '');
    const { username, password } = wordsIn(spelling, account);
    return `F: ${username} ${password}${text}\n`;
  },

  edit(row, account, { grant, spelling }) {
    const given = row.isPlain ? row.grant : trimBlanks(row.grant.replace(/#.*$/, ''));
    const isSame = grant === undefined || grant === given;
    const hasPassword = isText(row.password ?? '', account.password);
    if (isSame && hasPassword) return row.lines;
    const line = row.lines[0] ?? '';
    const [, head = '', name = '', gap = ' ', old, rest = '', end = ''] = FRIEND.exec(line) ?? [];
    const text = isSame ? rest : behind(grant, rest);
    const word = hasPassword ? old : wordsIn(spelling, account).password;
    return [`${head}${name}${gap}${word}${text}${end}`];
  },
  isRowInComment(line, name) {
    const found = COMMENT.test(line) ? rowOf(line.replace(COMMENT, ''))?.name : undefined;
    return found !== undefined && (found === name || respelled(found).includes(name));
  },
};

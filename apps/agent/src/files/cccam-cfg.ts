import { encoded, isText } from '../bytes.ts';
import { type Format, type Row, skipBlanks, trimBlanks } from './formats.ts';

/** Blanks as operators use them. A commented line is not an account. */
const FRIEND =
  /^([ \t]*F[ \t]*:[ \t]*)([^ \t\r\n{]+)(?:([ \t]+)([^ \t\r\n{]+))?([^\r\n]*)(\r?\n?)$/i;
const COMMENT = /^[ \t]*#+[ \t#]*(?=F[ \t]*:)/i;

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

  write({ username, password }, { rest, grant, encoding }) {
    const text = grant === undefined ? (rest ?? '') : behind(grant);
    return `F: ${encoded(username, encoding)} ${encoded(password, encoding)}${text}\n`;
  },

  edit(row, { password }, { grant, encoding }) {
    const isSame = grant === undefined || grant === row.grant;
    const hasPassword = isText(row.password ?? '', password);
    if (isSame && hasPassword) return row.lines;
    const line = row.lines[0] ?? '';
    const [, head = '', name = '', gap = ' ', old, rest = '', end = ''] = FRIEND.exec(line) ?? [];
    const text = isSame ? rest : behind(grant);
    const word = hasPassword ? old : encoded(password, encoding);
    return [`${head}${name}${gap}${word}${text}${end}`];
  },

  isRowInComment(line, name) {
    return COMMENT.test(line) && rowOf(line.replace(COMMENT, ''))?.name === name;
  },
};

import { bytesOf, type Format, type Row, trimBlanks } from './formats.ts';

/** Blanks as operators use them. A commented line is no account. */
const FRIEND =
  /^([ \t]*F[ \t]*:[ \t]*)([^ \t\r\n{]+)(?:([ \t]+)([^ \t\r\n{]+))?([^\r\n]*)(\r?\n?)$/i;
const COMMENT = /^[ \t]*#+[ \t#]*(?=F[ \t]*:)/i;

function rowOf(line: string): Row | undefined {
  const match = FRIEND.exec(line);
  if (!match) return undefined;
  const [, , name = '', , password, rest = ''] = match;
  const grant = trimBlanks(rest).replace(/[ \t]+/g, ' ');
  const settings = { isOff: false, day: undefined, rest, grant, isPlain: true };
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

  write({ username, password }, { rest, grant }) {
    const text = grant === undefined ? (rest ?? '') : behind(grant);
    return `F: ${bytesOf(username)} ${bytesOf(password)}${text}\n`;
  },

  edit(row, { password }, grant) {
    const line = row.lines[0] ?? '';
    const [, head = '', name = '', gap = ' ', , rest = '', end = ''] = FRIEND.exec(line) ?? [];
    const text = grant === undefined || grant === row.grant ? rest : behind(grant);
    return [`${head}${name}${gap}${bytesOf(password)}${text}${end}`];
  },

  isRowInComment(line, name) {
    return COMMENT.test(line) && rowOf(line.replace(COMMENT, ''))?.name === name;
  },
};

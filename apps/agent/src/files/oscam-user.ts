import type { Account } from '../store.ts';
import { bytesOf, type Format, type Row, trimBlanks } from './formats.ts';

/** OSCam passes over shorter lines. */
const SHORTEST_LINE = 3;
const SECTION = /^\[(.*)\]$/s;
const LINE_END = /\r?\n?$/;
/** Key, blanks around '=', and value; the blanks behind it and the line's end are the last part. */
const SETTING = /^([ \t]*)([^=]*?)([ \t]*=[ \t\v\f]*)([\s\S]*?)([ \t\r\n\v\f]*)$/;

const OWN_KEYS = ['user', 'pwd', 'expdate', 'disabled'];

type Setting = { indent: string; key: string; equals: string; value: string; end: string };

function settingOf(line: string): Setting | undefined {
  if (trimBlanks(line).length < SHORTEST_LINE) return undefined;
  const match = SETTING.exec(line);
  if (!match) return undefined;
  const [, indent = '', key = '', equals = '', value = '', end = ''] = match;
  return { indent, key, equals, value, end };
}

/** OSCam reads keys without regard to case. */
function keyOf(line: string): string | undefined {
  return settingOf(line)?.key.toLowerCase();
}

/** OSCam takes the last of several. */
function lastValue(lines: string[], key: string): string | undefined {
  const line = lines.findLast((candidate) => keyOf(candidate) === key);
  return line === undefined ? undefined : settingOf(line)?.value;
}

/** OSCam reads a number up to its first strange character. */
function isOff(value: string): boolean {
  return Number(/^[+-]?\d+/.exec(value)?.[0] ?? 0) !== 0;
}

const DAY = /^(\d+)[-/](\d+)[-/](\d+)/;

/** Year, month and day with '-' or '/', up to the first strange character. */
function dayOf(value: string): string | undefined {
  const [, year = '', month = '', day = ''] = DAY.exec(value) ?? [];
  if (year === '') return undefined;
  return `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Groups in the form in which settings are kept: each once, in ascending order. */
export function normalGroups(value: string): string {
  const numbers = value.split(',').map((part) => Number(/^\d+/.exec(trimBlanks(part))?.[0] ?? 0));
  const groups = [...new Set(numbers)].filter((group) => group > 0).sort((a, b) => a - b);
  return groups.join(',');
}

function withLineFeed(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n`;
}

function isOwn(line: string): boolean {
  return OWN_KEYS.includes(keyOf(line) ?? '');
}

function rowOf(lines: string[]): Row | undefined {
  const name = lastValue(lines, 'user');
  if (name === undefined || name === '') return undefined;
  const rest = lines
    .slice(1)
    .filter((line) => !isOwn(line))
    .map(withLineFeed)
    .join('');
  return {
    lines,
    name,
    password: lastValue(lines, 'pwd'),
    isOff: isOff(lastValue(lines, 'disabled') ?? ''),
    day: dayOf(lastValue(lines, 'expdate') ?? '') ?? '',
    rest,
    grant: normalGroups(lastValue(lines, 'group') ?? ''),
    isPlain: lines.slice(1).every((line) => isOwn(line) || keyOf(line) === 'group'),
  };
}

function isSetting(line: string): boolean {
  return keyOf(line) !== undefined && !trimBlanks(line).startsWith('#');
}

function sectionOf(line: string): string | undefined {
  return SECTION.exec(trimBlanks(line))?.[1]?.toLowerCase();
}

/** A line like this one, in its columns, with another key and value. */
function lineLike(model: string, key: string, value: string): string {
  const { indent, equals, key: modelKey } = settingOf(model) as Setting;
  const before = equals.indexOf('=');
  // OSCam saves keys padded to a column, and people write one blank.
  const width = before > 1 ? modelKey.length + before : key.length + before;
  const end = LINE_END.exec(model)?.[0] || '\n';
  return `${indent}${key.padEnd(width)}${equals.slice(before)}${value}${end}`;
}

function withValue(line: string, value: string): string {
  const { indent, key, equals, end } = settingOf(line) as Setting;
  return `${indent}${key}${equals}${value}${end}`;
}

/** What is behind a number or a day is a note of its operator's and stays. */
function onADay(value: string, day: string): string {
  return DAY.test(value) ? value.replace(DAY, day) : day;
}

function on(value: string): string {
  return value.replace(/^[+-]?\d+/, '0');
}

function withGroup(rest: string, grant: string): string {
  const lines = rest.match(/[^\n]*\n/g) ?? [];
  if (!lines.some((line) => keyOf(line) === 'group')) return `${rest}group = ${grant}\n`;
  return lines.map((line) => (keyOf(line) === 'group' ? withValue(line, grant) : line)).join('');
}

function editLine(line: string, row: Row, account: Account, grant: string | undefined): string {
  const value = settingOf(line)?.value ?? '';
  switch (keyOf(line)) {
    case 'pwd':
      return value === bytesOf(account.password)
        ? line
        : withValue(line, bytesOf(account.password));
    case 'expdate':
      return dayOf(value) === account.expiry_date
        ? line
        : withValue(line, onADay(value, account.expiry_date));
    case 'disabled':
      return isOff(value) ? withValue(line, on(value)) : line;
    case 'group':
      return grant === undefined || grant === row.grant ? line : withValue(line, grant);
    default:
      return line;
  }
}

export const oscam: Format = {
  fileName: 'oscam.user',
  isSavedByServer: true,

  split(lines) {
    const pieces: (Row | string)[] = [];
    let section: string[] = [];
    const endSection = () => {
      // Comments and blank lines behind the last setting may belong to the next row.
      const last = section.findLastIndex(isSetting);
      const row = sectionOf(section[0] ?? '') === 'account' && rowOf(section.slice(0, last + 1));
      pieces.push(...(row ? [row, ...section.slice(last + 1)] : section));
      section = [];
    };
    for (const line of lines) {
      if (sectionOf(line) !== undefined) endSection();
      section.push(line);
    }
    endSection();
    return pieces;
  },

  // OSCam includes the day of expdate, as we do. An account without a group has access to no card.
  write({ username, password, expiry_date }, { rest = '', grant }) {
    const settings = grant === undefined ? rest : withGroup(rest, grant);
    const [user, pwd] = [bytesOf(username), bytesOf(password)];
    return `[account]\nuser = ${user}\npwd = ${pwd}\nexpdate = ${expiry_date}\n${settings}`;
  },

  edit(row, account, grant) {
    const lines = row.lines.map((line) => editLine(line, row, account, grant));
    const has = (key: string) => lines.some((line) => keyOf(line) === key);
    const head = lines.findLastIndex((line) => ['user', 'pwd'].includes(keyOf(line) ?? ''));
    const missing: [string, string][] = [];
    if (!has('pwd')) missing.push(['pwd', bytesOf(account.password)]);
    if (!has('expdate')) missing.push(['expdate', account.expiry_date]);
    if (grant !== undefined && grant !== row.grant && !has('group')) missing.push(['group', grant]);
    if (missing.length === 0) return lines;
    const model = lines[head] ?? '';
    lines[head] = withLineFeed(model);
    lines.splice(head + 1, 0, ...missing.map(([key, value]) => lineLike(model, key, value)));
    return lines;
  },

  // OSCam has a setting for it, and rows in comments are none of its own.
  isRowInComment: () => false,
};

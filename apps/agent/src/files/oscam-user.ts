import { isText } from '@linekeeper/oscam/bytes.ts';
import { isSameRight, normalGroups } from '@linekeeper/oscam/user-file.ts';
import { type Said, wordsIn } from '../row-records.ts';
import { endOfText, type Format, type Row, skipBlanks, trimBlanks } from './formats.ts';

/** Characters of a line, at least; OSCam skips shorter lines. */
const SHORTEST_LINE = 3;
const LINE_END = /\r?\n?$/;

const HIGHEST_GROUP = 64;

const OWN_KEYS = ['user', 'pwd', 'expdate', 'disabled'];

/** A line's parts, which make the line again: blanks around '=' are in `equals`, others in `indent` and `end`. */
type Setting = { indent: string; key: string; equals: string; value: string; end: string };

function settingOf(line: string): Setting | undefined {
  const at = line.indexOf('=');
  if (at === -1) return undefined;
  const [start, end] = [skipBlanks(line), endOfText(line)];
  if (end - start < SHORTEST_LINE) return undefined;
  const keyEnd = Math.max(start, endOfText(line, at));
  const valueAt = Math.min(skipBlanks(line, at + 1), end);
  return {
    indent: line.slice(0, start),
    key: line.slice(start, keyEnd),
    equals: line.slice(keyEnd, valueAt),
    value: line.slice(valueAt, end),
    end: line.slice(end),
  };
}

/** The key of a line in lower case, as OSCam reads keys. */
function keyOf(line: string): string | undefined {
  return settingOf(line)?.key.toLowerCase();
}

/** True if a value means off, by OSCam's reading of a number up to its first other character. */
function isOff(value: string): boolean {
  return Number(/^[+-]?\d+/.exec(value)?.[0] ?? 0) !== 0;
}

const DAY = /^(\d+)[-/](\d+)[-/](\d+)/;

/** Year, month and day with '-' or '/', up to the first other character. */
function dayOf(value: string): string | undefined {
  const [, year = '', month = '', day = ''] = DAY.exec(value) ?? [];
  if (year === '') return undefined;
  return `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The groups of new rows in oscam.user. Throws for a text that is not a list of groups. */
export function checkGroups(text: string): string {
  const isGroup = (part: string) =>
    /^\d+$/.test(part.trim()) && Number(part) >= 1 && Number(part) <= HIGHEST_GROUP;
  if (text.split(',').every(isGroup)) return normalGroups(text);
  throw new Error(
    `OSCAM_GROUP '${text}' is not a list of groups: give numbers from 1 to ${HIGHEST_GROUP}, as in 1 or 1,2,10`,
  );
}

function withLineFeed(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n`;
}

function rowOf(lines: string[]): Row | undefined {
  // OSCam uses the last value of a repeated key.
  const values = new Map<string, string>();
  let rest = '';
  let isPlain = true;
  for (const line of lines.slice(1)) {
    const setting = settingOf(line);
    const key = setting?.key.toLowerCase() ?? '';
    if (setting) values.set(key, setting.value);
    if (OWN_KEYS.includes(key)) continue;
    rest += withLineFeed(line);
    isPlain &&= key === 'group';
  }
  const name = values.get('user');
  if (!name) return undefined;
  return {
    lines,
    name,
    password: values.get('pwd'),
    isOff: isOff(values.get('disabled') ?? ''),
    day: dayOf(values.get('expdate') ?? '') ?? '',
    rest,
    grant: normalGroups(values.get('group') ?? ''),
    isPlain,
  };
}

function isSetting(line: string): boolean {
  return line[skipBlanks(line)] !== '#' && settingOf(line) !== undefined;
}

function sectionOf(line: string): string | undefined {
  if (line[skipBlanks(line)] !== '[') return undefined;
  const text = trimBlanks(line);
  return text.endsWith(']') ? text.slice(1, -1).toLowerCase() : undefined;
}

/** A line in the columns of `model`, with another key and value. */
function lineLike(model: string, key: string, value: string): string {
  const { indent, equals, key: modelKey } = settingOf(model) as Setting;
  const before = equals.indexOf('=');
  // OSCam pads keys to a column, and people write one blank: the line follows its model.
  const width = before > 1 ? modelKey.length + before : key.length + before;
  const end = LINE_END.exec(model)?.[0] || '\n';
  return `${indent}${key.padEnd(width)}${equals.slice(before)}${value}${end}`;
}

function withValue(line: string, change: (value: string) => string): string {
  const { indent, key, equals, value, end } = settingOf(line) as Setting;
  return `${indent}${key}${equals}${change(value)}${end}`;
}

/**
 * The settings of the plan that the lines lack or have with another value. A setting without a line
 * has OSCam's default.
 */
function missingIn(lines: string[], said: Said): Said {
  // Most rows have no settings by a plan, and this runs for every row at every write.
  if (Object.keys(said).length === 0) return said;
  const found = new Map(lines.map((line) => [keyOf(line), settingOf(line)?.value]));
  const missing = Object.entries(said).filter(([key, value]) =>
    value === null ? found.has(key) : !isSameRight(key, found.get(key) ?? '', value),
  );
  return Object.fromEntries(missing);
}

/** The lines without those settings that an earlier plan set and the present one does not. */
const withoutTaken = (lines: string[], missing: Said) =>
  lines.filter((line) => missing[keyOf(line) ?? ''] !== null);

function withSettings(rest: string, said: Said): string {
  const before = rest.match(/[^\n]*\n/g) ?? [];
  const missing = missingIn(before, said);
  const lines = withoutTaken(before, missing).map((line) => {
    const value = missing[keyOf(line) ?? ''];
    return value ? withValue(line, () => value) : line;
  });
  const keys = lines.map(keyOf);
  const added = Object.entries(missing).filter(([key, value]) => value && !keys.includes(key));
  return [...lines, ...added.map(([key, value]) => `${key} = ${value}\n`)].join('');
}

export const oscam: Format = {
  fileName: 'oscam.user',
  grantedSetting: 'group',
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

  // OSCam counts the day of `expdate` as valid, as the panel does. An account without a group has
  // no access to any card.
  write(account, { rest = '', grant, spelling, said }) {
    const settings = withSettings(rest, grant === undefined ? said : { group: grant, ...said });
    const { username, password } = wordsIn(spelling, account);
    return `[account]\nuser = ${username}\npwd = ${password}\nexpdate = ${account.expiry_date}\n${settings}`;
  },

  edit(row, account, { grant, spelling, said }) {
    const { expiry_date } = account;
    const missing: Said = {
      ...(grant !== undefined && grant !== row.grant && { group: grant }),
      ...missingIn(row.lines, said),
    };
    const isSame =
      !row.isOff &&
      isText(row.password ?? '', account.password) &&
      row.day === expiry_date &&
      Object.keys(missing).length === 0;
    if (isSame) return row.lines;
    const word = wordsIn(spelling, account).password;
    // Text behind a number or a day is the operator's note and stays.
    const changes: Record<string, (value: string) => string> = {
      pwd: (value) => (isText(value, account.password) ? value : word),
      expdate(value) {
        const day = dayOf(value);
        if (day === undefined) return expiry_date;
        return day === expiry_date ? value : value.replace(DAY, expiry_date);
      },
      disabled: (value) => (isOff(value) ? value.replace(/^[+-]?\d+/, '0') : value),
    };
    const settings = Object.entries(missing).filter(([, value]) => value !== null);
    for (const [key, value] of settings) changes[key] = (before) => value ?? before;
    const lines = withoutTaken(row.lines, missing).map((line) => {
      const change = changes[keyOf(line) ?? ''];
      return change ? withValue(line, change) : line;
    });
    const keys = lines.map(keyOf);
    const needed = ['pwd', 'expdate', ...settings.map(([key]) => key)];
    const lacking = needed.filter((key) => !keys.includes(key));
    if (lacking.length === 0) return lines;
    const head = keys.findLastIndex((key) => key === 'user' || key === 'pwd');
    const model = lines[head] ?? '';
    const added = lacking.map((key) => lineLike(model, key, changes[key]?.('') ?? ''));
    return lines.toSpliced(head, 1, withLineFeed(model), ...added);
  },
  // OSCam has a setting for switched-off accounts, and ignores a row in a comment.
  isRowInComment: () => false,
};

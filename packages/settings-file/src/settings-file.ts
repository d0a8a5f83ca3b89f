import { existsSync, readFileSync, statSync } from 'node:fs';

const FLAG = /^--env-file(?:-if-exists)?(?:=(.*))?$/s;
/** A line with a setting, after blanks and tabs only: a byte order mark would be a part of the name. */
const SETTING = /^[ \t]*(export[ \t]+)?([A-Za-z_]\w*)[ \t]*=(.*)$/s;
/** A line without a setting. After a blank, Node may read a comment as a name, and later lines as its value. */
const NO_SETTING = /^(#|[ \t\r]*$)/;
/** A mark that Node reads as a part of the first name. */
const BYTE_ORDER_MARK = '\uFEFF';
/**
 * Values that all programs read alike: Node cuts a plain value at #, systemd and shells interpret \
 * and $, and compose interprets $.
 */
const PLAIN = /^[^#'"`$\\\r\0\uFEFF]*$/;
const QUOTED = /^('[^']*'|"[^"`$\\]*")$/;

/** The files from which Node reads settings, by its arguments. */
function settingsFiles(nodeArguments: readonly string[]): string[] {
  return nodeArguments.flatMap((argument, index) => {
    const flag = FLAG.exec(argument);
    return flag ? [flag[1] ?? nodeArguments[index + 1] ?? ''] : [];
  });
}

function readSettings(file: string): string {
  if (!existsSync(file)) return '';
  if (statSync(file).isDirectory()) {
    throw new Error(`${file}: settings are read from a file, and this is a folder`);
  }
  return readFileSync(file, 'utf8');
}

/**
 * True for a value that is not blank: Node skips the line end of a blank value, and reads the next line as the value.
 */
function isClear(rest: string): boolean {
  const value = rest.replace(/^[ \t]+|[ \t\r]+$/g, '');
  return value === '' ? rest === '' : PLAIN.test(value) || QUOTED.test(value);
}

/** Names of the variables whose values Node, systemd and compose read differently. */
export function ambiguousSettings(text: string): string[] {
  const marks = text.startsWith(BYTE_ORDER_MARK) ? ['the byte order mark at its start'] : [];
  const names = text
    .slice(marks.length)
    .split('\n')
    .flatMap((line, index) => {
      if (NO_SETTING.test(line)) return [];
      const [, exported, name, rest = ''] = SETTING.exec(line) ?? [];
      // Compose reads `NAME: value`, and Node ignores it. Only the number is returned, because the line may be secret.
      if (name === undefined) return [`line ${index + 1}`];
      return !exported && isClear(rest) ? [] : [name];
    });
  return [...marks, ...names];
}

/** Number of letters that must be changed, added or removed to make one name from the other. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const row = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (above[j] ?? 0) + (letter === other ? 0 : 1);
      row.push(Math.min(changed, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}

const MOST_LETTERS = 3;

/** Names that are not settings but are similar to one; short ones, such as PATH, must be more similar. */
export function misspeltSettings(
  text: string,
  known: readonly string[],
): { name: string; meant: string }[] {
  const names = text.split('\n').flatMap((line) => SETTING.exec(line)?.[2] ?? []);
  return [...new Set(names)].flatMap((name) => {
    if (known.includes(name)) return [];
    const given = name.toUpperCase();
    const isNear = (setting: string) =>
      distance(given, setting) <= Math.min(MOST_LETTERS, Math.floor(setting.length / 3));
    const [meant] = known.filter(isNear).sort((a, b) => distance(given, a) - distance(given, b));
    return meant ? [{ name, meant }] : [];
  });
}

/**
 * Checks the settings files of this process. Throws if one has a value that Node, systemd and compose read differently:
 * a password would silently differ between the panel and its commands. Returns sentences about misspelt names, whose
 * values have no effect.
 */
export function checkSettingsFiles(
  known: readonly string[],
  nodeArguments: readonly string[] = process.execArgv,
): string[] {
  return settingsFiles(nodeArguments).flatMap((file) => {
    const text = readSettings(file);
    const ambiguous = ambiguousSettings(text);
    if (ambiguous.length > 0) {
      throw new Error(
        `${file}: ${[...new Set(ambiguous)].join(', ')} would be read differently by different programs. ` +
          "Put a value that has # $ \\ ` or a quote in single quotes, NAME='My#Secret' (one with a single " +
          'quote in double quotes). Leave nothing after the = of an empty value. Start comments in the first column. ' +
          'Every other line must be NAME=value, without export before the name',
      );
    }
    const misspelt = misspeltSettings(text, known);
    const names = misspelt.map(({ name, meant }) => `${name} (did you mean ${meant}?)`);
    return names.length > 0 ? [`${file}: unknown and ignored: ${names.join(', ')}`] : [];
  });
}

import { existsSync, readFileSync, statSync } from 'node:fs';

const FLAG = /^--env-file(?:-if-exists)?(?:=(.*))?$/s;
/** Blanks and tabs alone: a byte order mark within a file would be a part of the name, too. */
const SETTING = /^[ \t]*(export[ \t]+)?([A-Za-z_]\w*)[ \t]*=(.*)$/s;
/** Behind a blank Node may take a comment for a name, and the lines below it for its value. */
const NO_SETTING = /^(#|[ \t\r]*$)/;
/** Node takes it for a part of the first name. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Node cuts a plain value at #, systemd and shells read \ and $, compose reads $. */
const PLAIN = /^[^#'"`$\\\r\0\uFEFF]*$/;
const QUOTED = /^('[^']*'|"[^"`$\\]*")$/;

/** The files that Node was told to read settings from. */
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

/** Node passes over a blank value's line end, and reads the next line as the value. */
function isClear(rest: string): boolean {
  const value = rest.replace(/^[ \t]+|[ \t\r]+$/g, '');
  return value === '' ? rest === '' : PLAIN.test(value) || QUOTED.test(value);
}

/** Names of the variables that the readers of such files do not agree on. */
export function ambiguousSettings(text: string): string[] {
  const marks = text.startsWith(BYTE_ORDER_MARK) ? ['the byte order mark at its start'] : [];
  const names = text
    .slice(marks.length)
    .split('\n')
    .flatMap((line, index) => {
      if (NO_SETTING.test(line)) return [];
      const [, exported, name, rest = ''] = SETTING.exec(line) ?? [];
      // Compose reads `NAME: value`, Node passes over it. Its number only: the line may be secret.
      if (name === undefined) return [`line ${index + 1}`];
      return !exported && isClear(rest) ? [] : [name];
    });
  return [...marks, ...names];
}

/**
 * Throws if a settings file of this process has a value that Node, systemd and compose read differently:
 * a password would silently be another one for the panel than for its commands.
 */
export function refuseAmbiguousSettings(nodeArguments: readonly string[] = process.execArgv): void {
  for (const file of settingsFiles(nodeArguments)) {
    const names = ambiguousSettings(readSettings(file));
    if (names.length === 0) continue;
    throw new Error(
      `${file}: ${[...new Set(names)].join(', ')} would be read differently by different programs. ` +
        "Put a value with # $ \\ ` or a quote between single quotes, NAME='My#Secret' (one with a single " +
        'quote between double quotes), nothing behind the = of an empty one, a comment at the beginning of a line, ' +
        'no export before the name, and nothing but NAME=value on every other line',
    );
  }
}

import { existsSync, readFileSync } from 'node:fs';

const FLAG = /^--env-file(?:-if-exists)?(?:=(.*))?$/s;
const SETTING = /^\s*(export\s+)?([A-Za-z_]\w*)\s*=(.*)$/;
/** Node cuts a plain value at #, systemd and shells read \ and $, compose reads $. */
const PLAIN = /^[^#'"`$\\]*$/;
const QUOTED = /^('[^']*'|"[^"`$\\]*")$/;

/** The files that Node was told to read settings from. */
function settingsFiles(nodeArguments: readonly string[]): string[] {
  return nodeArguments.flatMap((argument, index) => {
    const flag = FLAG.exec(argument);
    return flag ? [flag[1] ?? nodeArguments[index + 1] ?? ''] : [];
  });
}

/** Names of the variables whose values the readers of such files do not agree on. */
export function ambiguousSettings(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, exported, name, rest = ''] = SETTING.exec(line) ?? [];
    const value = rest.trim();
    if (name === undefined) return [];
    return !exported && (PLAIN.test(value) || QUOTED.test(value)) ? [] : [name];
  });
}

/**
 * Throws if a settings file of this process has a value that Node, systemd and compose read differently:
 * a password would silently be another one for the panel than for its commands.
 */
export function refuseAmbiguousSettings(nodeArguments: readonly string[] = process.execArgv): void {
  for (const file of settingsFiles(nodeArguments)) {
    const names = existsSync(file) ? ambiguousSettings(readFileSync(file, 'utf8')) : [];
    if (names.length === 0) continue;
    throw new Error(
      `${file}: ${[...new Set(names)].join(', ')} would be read differently by different programs. ` +
        "Put a value with # $ \\ ` or a quote between single quotes, NAME='My#Secret' (one with a single " +
        'quote between double quotes), a comment on a line of its own, and no export before the name',
    );
  }
}

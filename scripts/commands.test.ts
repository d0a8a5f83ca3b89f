import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands, completion, helpOf, optionsOf, overview, readArguments } from './commands.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/reference/commands.md');
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
const operators = commands.filter(({ isForDevelopers }) => !isForDevelopers);
const named = (name: string) => {
  const found = commands.find((command) => command.name === name);
  if (!found) throw new Error(`There is no ${name}`);
  return found;
};

/** The rows of the table below a heading of the page, without its head. */
function rows(heading: string): string[][] {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = text.split('\n## ');
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .replaceAll('\\|', '¦')
      .split('|')
      .map((cell) => cell.trim().replaceAll('¦', '|')),
  );
}

test('every npm script runs a command of the table, and every command but build steps has one', () => {
  const called = Object.entries(scripts).map(([script, text]) => ({
    script,
    name: /scripts\/run\.mjs (\S+)/.exec(text)?.[1] ?? '',
  }));
  for (const { script, name } of called) {
    const command = named(name);
    const own = ['test:all', 'check', 'e2e'].includes(script) ? script : undefined;
    expect(own ?? command.script ?? command.name).toBe(script);
  }
  const names = new Set(called.map(({ name }) => name));
  expect(commands.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([
    'completion',
  ]);
});

test('the page has every command of an operator, with what npm calls it', () => {
  const listed = rows('The command linekeeper').map(([command = '', npm = '']) => [command, npm]);
  expect(listed).toEqual(
    operators.map(({ name, script = name, usage }) => [
      `\`linekeeper ${name}${usage ? ` ${usage}` : ''}\``,
      name === 'completion'
        ? ''
        : `\`npm run ${script}${usage?.startsWith('<') ? ` -- ${usage}` : ''}\``,
    ]),
  );
});

test('the page has every option, field and exit code as the table says it', () => {
  const options = operators.flatMap(({ name, options = {} }) =>
    Object.entries(options).map(([option, { value, help }]) => [
      `\`${name}\``,
      `\`--${option}${value ? `=<${value}>` : ''}\``,
      help,
    ]),
  );
  const found = rows('Arguments and options').filter(([, option]) => option?.startsWith('`--'));
  for (const [name = '', option = ''] of options) {
    expect(found.map(([command, option]) => `${command} ${option}`)).toContain(`${name} ${option}`);
  }
  const fields = operators.flatMap(({ name, json = {} }) =>
    Object.entries(json).map(([field, help]) => [`\`${name}\``, `\`${field}\``, help]),
  );
  expect(rows('Results as JSON')).toEqual(fields);
  const codes = operators.flatMap(({ name, exits = {} }) =>
    Object.entries(exits).map(([code, help]) => [`\`${name}\``, code, help]),
  );
  expect(rows('Exit codes')).toEqual([
    ['all', '0', 'Done'],
    ['all', '1', 'Failed. The reason is printed'],
    ...codes,
  ]);
});

test('help names the options, exit codes and fields of each command', () => {
  for (const command of operators) {
    expect(overview()).toContain(command.help);
    const text = helpOf(command);
    for (const name of Object.keys(optionsOf(command))) expect(text).toContain(`--${name}`);
    for (const field of Object.keys(command.json ?? {})) expect(text).toContain(field);
    expect(command.json).toBeDefined();
  }
});

test('help says that the commands of a clone have no --json', () => {
  for (const command of commands.filter(({ isForDevelopers }) => isForDevelopers)) {
    expect(helpOf(command)).toContain('There is no --json');
    expect(Object.keys(optionsOf(command))).not.toContain('json');
  }
});

test('arguments are refused unless the table has them', () => {
  const restore = named('restore');
  expect(readArguments(restore, ['file', '--replace'])).toMatchObject({
    values: { replace: true },
    positionals: ['file'],
  });
  expect(() => readArguments(named('reset-password'), [])).toThrow('Usage: npm run reset-password');
  const wrong = [['a', 'b'], [''], ['a', '--replace=yes'], ['a', '--from=b'], ['a', '-x']];
  for (const args of wrong) expect(() => readArguments(restore, args)).toThrow(/Usage: .*restore/);
  expect(() => readArguments(named('status'), ['all'])).toThrow('Usage: npm run status');
});

test('bash completes commands and their options', () => {
  const words = (...typed: string[]) => {
    const script = `${completion()}
COMP_WORDS=(linekeeper ${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length}
_linekeeper; echo "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
  };
  expect(words('re')).toEqual(['restore', 'reset-password', 'release']);
  expect(words('restore', '--')).toEqual(
    Object.keys(optionsOf(named('restore'))).map((o) => `--${o}`),
  );
  expect(words('restore', 'ba')).toEqual(['']);
});

// The table of commands: what `npm run …` has in a clone, and `linekeeper …` in an installed panel. Runs on Node 20.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** True in a release, which has its own Node and needs neither Git nor npm; false in a clone. */
export const isRelease = existsSync(join(root, 'bin', 'node'));

/**
 * @typedef {object} Option
 * @property {'boolean' | 'string'} type
 * @property {string} [value] what the option takes
 * @property {string} help
 *
 * @typedef {object} Command
 * @property {string} name
 * @property {string} [script] the npm script, if its name differs
 * @property {string} [usage] its arguments
 * @property {string} help
 * @property {string} [program] the file to run
 * @property {boolean} [isForDevelopers] true for what only a clone has
 * @property {boolean} [takesAny] true if the program reads its own arguments
 * @property {boolean} [needsWeb] true if the web app must be built
 * @property {boolean} [asRoot] true for a command that keeps root's rights if root starts it
 * @property {Record<string, Option>} [options]
 * @property {Record<string, string>} [json] the fields that --json prints
 * @property {Record<number, string>} [exits] exit codes, other than 0 for success and 1 for a failure
 */

const server = 'apps/server/src/commands';

/** @type {Record<string, Option>} */
const everywhere = {
  help: { type: 'boolean', help: 'Prints what the command does' },
  json: { type: 'boolean', help: 'Prints one JSON object instead of text' },
  settings: { type: 'string', value: 'file', help: 'The settings file' },
};

/** @type {Record<number, string>} */
const ofUpdate = {
  3: 'The version did not start, and the previous one runs again',
  4: 'The panel was not installed by its package, and nothing was done',
};
const switched = {
  from: 'The previous version',
  to: 'The version that runs now',
  backup: 'The backup made before the change; `null` without one',
};

/** @type {Command[]} */
const table = [
  {
    name: 'status',
    help: 'Shows whether the panel runs, its version, database, backups and card servers',
    program: `${server}/status.ts`,
    exits: { 1: 'The panel does not run, or cannot reach its database' },
    json: {
      running: 'Whether the panel responds',
      ready: 'Whether its database responds and accepts changes',
      version: 'The version that runs; `null` if none does',
      installed: 'The version of these files',
      running_since: 'When the panel was started; `null` if it is unknown',
      database: '`embedded` or `postgresql`',
      schema: 'The newest migration; `null` if it is unknown',
      last_backup: 'When the last scheduled backup was made; `null` if never',
      pushes_due: 'Changes that card servers have not received yet',
      servers_down: 'Names of the card servers that do not respond',
      newer_version: 'The version at `UPDATE_FEED`; `null` if it is not newer or is unknown',
    },
  },
  {
    name: 'logs',
    help: 'Shows the last messages of the panel',
    program: `${server}/logs.ts`,
    asRoot: true,
    options: {
      lines: { type: 'string', value: 'number', help: 'How many messages; 50 by default' },
      errors: { type: 'boolean', help: 'Errors only' },
      follow: { type: 'boolean', help: 'Continues with new messages until Ctrl-C' },
    },
    json: { lines: 'The messages, as the panel wrote them' },
  },
  {
    name: 'doctor',
    help: 'Looks for faults, and shows what to do about each',
    program: `${server}/doctor.ts`,
    exits: { 1: 'A fault was found' },
    json: {
      ok: 'False if a fault was found',
      findings: 'Each with `check`, `level` (`ok`, `notice` or `fault`), `text` and `todo`',
    },
  },
  {
    name: 'backup',
    usage: '[folder or new file.lkb.gz]',
    help: 'Makes a backup',
    program: `${server}/backup.ts`,
    json: {
      file: 'The file',
      bytes: 'Its size',
      rows: 'The rows in it',
      tables: 'The tables in it',
      sha256: 'The checksum of its content',
    },
  },
  {
    name: 'restore',
    usage: '[file]',
    help: 'Restores a backup',
    program: `${server}/restore.ts`,
    options: {
      'from-store': {
        type: 'boolean',
        help: 'Fetches the file from the store of the settings first; without a file, lists the backups there',
      },
      identity: {
        type: 'string',
        value: 'file',
        help: 'The age private key of an encrypted backup',
      },
      replace: { type: 'boolean', help: 'Deletes everything in the database first' },
      'push-all': { type: 'boolean', help: 'Writes every line to its card server again' },
    },
    json: {
      created_at: 'When the backup was made',
      rows: 'The rows that were restored',
      tables: 'The tables that were restored',
      key_missing: 'Whether the key must be put in place before the panel starts',
      pushed: 'Lines that are written to their card servers again; `null` without `--push-all`',
      stored: 'The backups in the store, if they were listed; then everything else is `null`',
    },
  },
  {
    name: 'reset-password',
    usage: '<email>',
    help: 'Sets a new password for an account',
    program: `${server}/reset-password.ts`,
    options: {
      ask: { type: 'boolean', help: 'Asks for the password instead of generating one' },
      'two-factor-off': { type: 'boolean', help: 'Also turns two-factor sign-in off' },
    },
    json: {
      email: 'The account',
      password: 'The generated password; `null` with `--ask`',
      two_factor: '`off`, `on` or `turned_off`',
    },
  },
  {
    name: 'verify',
    script: 'ledger:verify',
    help: 'Verifies the books: every balance, and every seal',
    program: `${server}/verify-ledger.ts`,
    exits: { 1: 'There is a difference' },
    json: {
      ok: 'False if there is a difference',
      accounts: 'The number of accounts',
      transfers: 'The number of transfers',
      differences: 'Each difference, as `GET /api/credits/verify` has it',
    },
  },
  {
    name: 'rotate-keys',
    script: 'keys:rotate',
    usage: '[folder]',
    help: 'Replaces the key that encrypts stored passwords',
    program: `${server}/rotate-keys.ts`,
    json: { file: 'Where the new key is' },
  },
  {
    name: 'migrate',
    script: 'db:migrate',
    help: 'Updates the schema without starting the panel',
    program: `${server}/migrate.ts`,
    json: {
      applied: 'The migrations that were missing',
      newer: 'Migrations in the database that only a newer version knows',
    },
  },
  {
    name: 'update',
    help: 'Installs the newest version, and goes back if it does not start',
    program: `${server}/update.ts`,
    asRoot: true,
    options: {
      from: {
        type: 'string',
        value: 'folder or address',
        help: 'Where the release is; UPDATE_FEED by default',
      },
    },
    exits: ofUpdate,
    json: switched,
  },
  {
    name: 'back',
    help: 'Goes back to the version from before the last update',
    program: `${server}/back.ts`,
    asRoot: true,
    options: {
      restore: {
        type: 'boolean',
        help: 'Also restores the backup from before the update. Everything since then is lost',
      },
    },
    exits: ofUpdate,
    json: switched,
  },
  {
    name: 'uninstall',
    help: 'Removes the program and leaves settings, data and backups',
    program: `${server}/uninstall.ts`,
    asRoot: true,
    options: { yes: { type: 'boolean', help: 'Does not ask' } },
    exits: { 4: ofUpdate[4] ?? '' },
    json: { left: 'The files and folders that stay' },
  },
  {
    name: 'completion',
    help: 'Prints the completion for bash',
    json: { script: 'The completion' },
  },
  {
    name: 'start',
    help: 'Installs, builds and starts the panel',
    program: `${server}/main.ts`,
    isForDevelopers: true,
    needsWeb: true,
  },
  {
    name: 'build',
    help: 'Prepares the clone without starting anything',
    isForDevelopers: true,
    needsWeb: true,
  },
  {
    name: 'demo',
    help: 'Starts a panel with sample data on a temporary database',
    program: 'scripts/demo/main.ts',
    isForDevelopers: true,
    needsWeb: true,
  },
  {
    name: 'agent',
    help: 'Starts the agent',
    program: 'apps/agent/src/main.ts',
    isForDevelopers: true,
  },
  {
    name: 'try-line',
    usage: '"C: host port user password"',
    help: 'Signs in to a card server as a receiver does',
    program: 'apps/agent/src/try-line.ts',
    exits: { 1: 'The line is refused', 2: 'The card server does not respond' },
    json: {
      outcome: '`accepted`, `refused` or `unreachable`',
      reason: 'What the card server did',
    },
  },
  {
    name: 'seed',
    script: 'db:seed',
    help: 'Adds a reseller with 100 credits',
    program: `${server}/seed.ts`,
    isForDevelopers: true,
  },
  {
    name: 'dev',
    help: 'Starts the panel and Vite for development',
    isForDevelopers: true,
  },
  {
    name: 'test',
    help: 'Runs the tests',
    program: 'scripts/run-tests.ts',
    isForDevelopers: true,
    takesAny: true,
  },
  {
    name: 'soak',
    help: 'Runs the long tests',
    program: 'node_modules/vitest/vitest.mjs',
    isForDevelopers: true,
    takesAny: true,
  },
  {
    name: 'bench',
    help: 'Measures the panel',
    isForDevelopers: true,
    takesAny: true,
  },
  {
    name: 'docs',
    help: 'Builds the documentation as a site',
    program: 'node_modules/vitepress/bin/vitepress.js',
    isForDevelopers: true,
    takesAny: true,
  },
  {
    name: 'release',
    help: 'Makes a release of this commit',
    program: 'scripts/release/main.ts',
    isForDevelopers: true,
    needsWeb: true,
    takesAny: true,
  },
  {
    name: 'screenshots',
    help: 'Takes a picture of every screen',
    program: 'e2e/support/screenshots.ts',
    isForDevelopers: true,
    needsWeb: true,
    takesAny: true,
  },
];

/** The commands of this installation. */
export const commands = table.filter(({ isForDevelopers }) => !(isRelease && isForDevelopers));

/** @param {string} name */
export const commandNamed = (name) => commands.find((command) => command.name === name);

/**
 * The options of a command. Those for developers only print text, most of them until they are stopped: they have no
 * --json.
 * @param {Command} command
 * @returns {Record<string, Option>}
 */
export function optionsOf({ options = {}, json, program = '' }) {
  const { help, json: asJson, settings } = everywhere;
  return {
    ...options,
    ...(json && asJson ? { json: asJson } : {}),
    ...(program.startsWith(server) && settings ? { settings } : {}),
    ...(help ? { help } : {}),
  };
}

/**
 * The arguments of a command, checked against the table.
 * @param {Command} command
 * @param {string[]} args
 */
export function readArguments(command, args) {
  if (command.takesAny) return { values: {}, positionals: args };
  const options = Object.entries(optionsOf(command)).map(([name, { type }]) => [name, { type }]);
  try {
    const { values, positionals } = parseArgs({
      args,
      options: /** @type {import('node:util').ParseArgsOptionsConfig} */ (
        Object.fromEntries(options)
      ),
      allowPositionals: true,
    });
    // Empty names come from scripts whose variable is not set.
    const isRequired = /^[<"]/.test(command.usage ?? '') && !values.help;
    const isWrong =
      positionals.length > (command.usage ? 1 : 0) ||
      positionals.includes('') ||
      (isRequired && positionals.length === 0);
    if (isWrong) throw new Error('The arguments are invalid');
    return { values: /** @type {Record<string, string | boolean>} */ (values), positionals };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    // Node's message continues with advice for programmers, which is cut off.
    throw new Error(`${message.split('. ')[0]}. Usage: ${usageOf(command)}`, { cause: error });
  }
}

/**
 * How a command is called here.
 * @param {string} name
 * @param {string} [args]
 */
export function callOf(name, args = '') {
  if (isRelease) return `linekeeper ${name} ${args}`.trim();
  const script = table.find((command) => command.name === name)?.script ?? name;
  return `npm run ${script} ${args && `-- ${args}`}`.trim();
}

/** @param {Command} command */
export function usageOf(command) {
  const options = Object.entries(optionsOf(command)).filter(([name]) => name !== 'help');
  const named = options.map(([name, { value }]) => `[--${name}${value ? `=<${value}>` : ''}]`);
  return callOf(command.name, [command.usage ?? '', ...named].join(' ').trim());
}

/** @param {[string, string][]} rows */
function columns(rows) {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}

/**
 * The help of a command.
 * @param {Command} command
 */
export function helpOf(command) {
  const { help, json = {}, exits = {} } = command;
  const options = Object.entries(optionsOf(command));
  const codes = Object.entries({ 0: 'Done', 1: 'Failed; the reason is printed', ...exits });
  const printed = Object.entries(json);
  return [
    `${help}.\n\nUsage: ${usageOf(command)}\n`,
    `Options:\n${columns(options.map(([name, option]) => [`--${name}`, option.help]))}`,
    `Exit codes:\n${columns(codes)}`,
    printed.length > 0
      ? `--json prints an object:\n${columns(printed)}`
      : 'There is no --json: the command prints only text.\n',
  ].join('\n');
}

/** The help of all commands. */
export function overview() {
  const list = columns(commands.map(({ name, help }) => [name, help]));
  const call = isRelease ? 'linekeeper <command>' : 'node scripts/run.mjs <command>';
  return `Usage: ${call}\n\n${list}\n${call} --help explains one.\n`;
}

/** The completion of `linekeeper` for bash, whose last resort is the names of files. */
export function completion() {
  const cases = commands.map((command) => {
    const options = Object.keys(optionsOf(command)).map((name) => `--${name}`);
    return `    ${command.name}) words='${options.join(' ')}' ;;\n`;
  });
  const names = commands.map(({ name }) => name).join(' ');
  return `_linekeeper() {
  local words='' word=\${COMP_WORDS[COMP_CWORD]}
  case \${COMP_CWORD}:\${COMP_WORDS[1]} in
    1:*) words='${names} --help' ;;
  esac
  [ "$COMP_CWORD" -gt 1 ] && case \${COMP_WORDS[1]} in
${cases.join('')}  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _linekeeper linekeeper
`;
}

// The entry of every npm command, and of `linekeeper` in a release: prepares a clone, then runs one program on Node 24
// until it ends. Runs on Node 20.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  commandNamed,
  completion,
  helpOf,
  isRelease,
  overview,
  readArguments,
} from './commands.mjs';
import { memorySettings } from './memory.mjs';
import { ensureInstalled, ensureWebBuilt, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild, signalChildren } from './processes.mjs';

const [name = '', ...args] = process.argv.slice(2);

/** The folders in which the Debian package puts the program, its settings and its data. */
const installed = {
  program: '/usr/lib/linekeeper/',
  settings: '/etc/linekeeper.env',
  data: '/var/lib/linekeeper',
};
const isInstalled = root === installed.program;

/**
 * @typedef {import('./commands.mjs').Command} Command
 * @typedef {(node: string, command: Command) => Promise<import('./processes.mjs').Ending>} Program
 */
const done = { code: 0, signal: null };

/** Commands that differ from running their program with the settings. @type {Record<string, Program>} */
const special = {
  // Settings for a panel in .env must not affect the demo and the tests.
  demo: (node, { program = '' }) => runWithoutSettings(node, program),
  test: (node, { program = '' }) => runWithoutSettings(node, program, args),
  release: (node, { program = '' }) => runWithoutSettings(node, program, args),
  docs: (node, { program = '' }) => runWithoutSettings(node, program, ['build', 'docs', ...args]),
  soak: (node, { program = '' }) =>
    runWithoutSettings(node, program, ['run', '--config', 'vitest.soak.config.ts', ...args]),
  // This command is for a service that may not write to the clone.
  build: async () => done,
  bench: async (node) => {
    const opensPages = args.includes('--lighthouse');
    // This one measures how fast the pages open in a browser, instead of the panel's speed.
    if (opensPages) await ensureWebBuilt(node);
    const part = opensPages ? 'lighthouse' : args.includes('--memory') ? 'memory' : 'main';
    return runProgram(node, `bench/${part}.ts`, args);
  },
  dev: runForDevelopers,
};

/**
 * Runs a command of the table.
 * @param {Command} command
 */
async function run(command) {
  const { values, positionals } = checked(command);
  if (values.help) return print(helpOf(command));
  if (command.name === 'completion') {
    return print(values.json ? `${JSON.stringify({ script: completion() })}\n` : completion());
  }
  const node = isRelease ? process.execPath : await ensureInstalled();
  if (command.needsWeb && !args.includes('--new-key')) await ensureWebBuilt(node);
  const other = special[command.name];
  if (other) return other(node, command);
  // Variables that the operator has set take precedence.
  if (command.name === 'start') Object.assign(process.env, { ...memorySettings, ...process.env });
  if (typeof values.settings === 'string') process.env.LINEKEEPER_SETTINGS = values.settings;
  // A backup is checked row by row, and with less room for new objects millions of rows leave less garbage.
  const nodeArgs = command.name === 'restore' ? ['--max-semi-space-size=4'] : [];
  // A file that root names is root's. The programs open the database as its owner in any case.
  const keepsUser = command.asRoot || positionals.length > 0;
  return runProgram(node, command.program ?? '', args, nodeArgs, keepsUser ? {} : panelUser());
}

/**
 * The arguments; throws a PrepareError for wrong ones.
 * @param {Command} command
 */
function checked(command) {
  try {
    return readArguments(command, args);
  } catch (error) {
    throw new PrepareError(/** @type {Error} */ (error).message);
  }
}

/**
 * The panel's user for a command that root starts in an installed panel, so that root leaves no files in its folders.
 * @returns {{ uid?: number, gid?: number }}
 */
function panelUser() {
  if (!isInstalled || process.geteuid?.() !== 0) return {};
  const { uid, gid } = statSync(installed.data, { throwIfNoEntry: false }) ?? {};
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
  return done;
}

/**
 * Runs the panel on 8080, restarted when its sources change, and Vite on 5173 in front of it. Both
 * end together.
 * @param {string} node
 */
async function runForDevelopers(node) {
  const HOST = '127.0.0.1';
  // Vite's configuration proxies API requests to the panel's port. The browser uses Vite's address,
  // so requests have that origin.
  const env = { ...process.env, HOST, PORT: '8080', PUBLIC_URL: `http://${HOST}:5173` };
  const watched = ['--watch', '--watch-preserve-output', ...settingsArguments()];
  const panel = runChild(node, [...watched, join(root, 'apps/server/src/commands/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const viteArgs = ['--host', HOST, '--port', '5173', '--strictPort'];
  // Clearing the screen would erase the first administrator's password, which is printed only once.
  const web = runChild(node, [vite, ...viteArgs, '--clearScreen', 'false'], {
    cwd: join(root, 'apps', 'web'),
    // Vite ends when its stdin closes, which also happens when this process is killed.
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const first = await Promise.race([panel, web]);
  signalChildren('SIGTERM');
  await Promise.all([panel, web]);
  return first;
}

/**
 * Node's arguments for the settings in the file at LINEKEEPER_SETTINGS, or else in .env; empty without an .env, because
 * Node would print a note. Throws a `PrepareError` for a file that cannot be read.
 */
function settingsArguments() {
  const { LINEKEEPER_SETTINGS: named, INIT_CWD: calledIn = '.' } = process.env;
  const usual = isInstalled ? installed.settings : join(root, '.env');
  const file = named ? resolve(calledIn, named) : usual;
  if (!existsSync(file)) {
    if (!named) return [];
    throw new PrepareError(`There are no settings in ${file}.`);
  }
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new PrepareError(`This user is not allowed to read the settings in ${file}.`);
  }
  if (statSync(file).isDirectory()) {
    throw new PrepareError(`Settings are read from a file, but ${file} is a folder.`);
  }
  return [`--env-file=${file}`];
}

/**
 * Runs a program of the repository with the panel's settings.
 * @param {string} node
 * @param {string} program
 * @param {string[]} args
 * @param {string[]} nodeArgs
 * @param {{ uid?: number, gid?: number }} user
 */
function runProgram(node, program, args = [], nodeArgs = [], user = {}) {
  // The unit sets this variable, too, and it takes precedence over the settings file.
  if (isInstalled) process.env.DATA_DIR ??= installed.data;
  return runWithoutSettings(node, program, args, [...settingsArguments(), ...nodeArgs], user);
}

/**
 * @param {string} node
 * @param {string} program
 * @param {string[]} args
 * @param {string[]} nodeArgs
 * @param {{ uid?: number, gid?: number }} user
 */
function runWithoutSettings(node, program, args = [], nodeArgs = [], user = {}) {
  return runChild(node, [...nodeArgs, join(root, program), ...args], {
    ...user,
    // In a clone, paths are relative to the clone, because npm changes into it.
    cwd: isRelease ? process.cwd() : root,
    // The IPC channel lets the program notice that this process was killed, and end too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

// An update that has begun must not be left half done: it handles signals itself.
if (['update', 'back'].includes(name)) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
} else passSignalsToChildren();
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    // The program that reads the output may end first, as `| head -1` does.
    if (error.code !== 'EPIPE') throw error;
  });
}
try {
  const command = commandNamed(name);
  if (command) process.exitCode = exitCodeOf(await run(command));
  else if (['--help', 'help'].includes(name)) print(overview());
  else throw new PrepareError(`${name ? `There is no command ${name}.\n\n` : ''}${overview()}`);
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  console.error(error.message);
  if (name === 'test') console.log('0 passed, 1 failed');
  if (args.includes('--json')) console.log(JSON.stringify({ error: error.message }));
  process.exitCode = 1;
}

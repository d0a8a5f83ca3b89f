// The entry of every npm command: prepares the clone, then runs one program on Node 24 until it ends. Runs on Node 20.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { memorySettings } from './memory.mjs';
import { ensureInstalled, ensureWebBuilt, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild, signalChildren } from './processes.mjs';

const [command = '', ...args] = process.argv.slice(2);
const commands = 'apps/server/src/commands';
/** Measures how fast the pages open in a browser, instead of the panel's speed. */
const opensPages = args.includes('--lighthouse');
const bench = opensPages ? 'lighthouse' : args.includes('--memory') ? 'memory' : 'main';
const soak = ['run', '--config', 'vitest.soak.config.ts', ...args];

/**
 * @typedef {(node: string) => Promise<import('./processes.mjs').Ending>} Program
 * @type {Record<string, { needsWeb?: boolean, run: Program }>}
 */
const programs = {
  agent: { run: (node) => runProgram(node, 'apps/agent/src/main.ts') },
  bench: { needsWeb: opensPages, run: (node) => runProgram(node, `bench/${bench}.ts`, args) },
  // This command is for a service that may not write to the clone.
  build: { needsWeb: true, run: async () => ({ code: 0, signal: null }) },
  // Settings for a panel in .env must not affect the demo.
  demo: { needsWeb: true, run: (node) => runWithoutSettings(node, 'scripts/demo/main.ts') },
  dev: { run: runForDevelopers },
  release: {
    needsWeb: true,
    run: (node) => runWithoutSettings(node, 'scripts/release/main.ts', args),
  },
  screenshots: {
    needsWeb: true,
    run: (node) => runProgram(node, 'e2e/support/screenshots.ts', args),
  },
  soak: { run: (node) => runWithoutSettings(node, 'node_modules/vitest/vitest.mjs', soak) },
  start: {
    needsWeb: true,
    run: (node) => {
      // Variables that the operator has set take precedence.
      Object.assign(process.env, { ...memorySettings, ...process.env });
      return runProgram(node, `${commands}/main.ts`, args);
    },
  },
  test: { run: (node) => runWithoutSettings(node, 'scripts/run-tests.ts', args) },
  'try-line': { run: (node) => runProgram(node, 'apps/agent/src/try-line.ts', args) },
  backup: { run: runOnDatabase },
  migrate: { run: runOnDatabase },
  'reset-password': { run: runOnDatabase },
  restore: { run: runOnDatabase },
  'rotate-keys': { run: runOnDatabase },
  seed: { run: runOnDatabase },
  'verify-ledger': { run: runOnDatabase },
};

/**
 * Runs a program of the server with the panel's settings, from .env, from the file of LINEKEEPER_SETTINGS or from
 * that of `--settings=<file>`.
 * @param {string} node
 */
function runOnDatabase(node) {
  const settings = /^--settings=/;
  const file = args.findLast((argument) => settings.test(argument))?.replace(settings, '');
  if (file !== undefined) process.env.LINEKEEPER_SETTINGS = file;
  const others = args.filter((argument) => !settings.test(argument));
  // A backup is checked row by row, and with less room for new objects millions of rows leave less garbage.
  const nodeArgs = command === 'restore' ? ['--max-semi-space-size=4'] : [];
  return runProgram(node, `${commands}/${command}.ts`, others, nodeArgs);
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
  const panel = runChild(node, [...watched, join(root, commands, 'main.ts')], {
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
  const file = named ? resolve(calledIn, named) : join(root, '.env');
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
 */
function runProgram(node, program, args = [], nodeArgs = []) {
  return runWithoutSettings(node, program, args, [...settingsArguments(), ...nodeArgs]);
}

/**
 * @param {string} node
 * @param {string} program
 * @param {string[]} args
 * @param {string[]} nodeArgs
 */
function runWithoutSettings(node, program, args = [], nodeArgs = []) {
  return runChild(node, [...nodeArgs, join(root, program), ...args], {
    cwd: root,
    // The IPC channel lets the program notice that this process was killed, and end too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

passSignalsToChildren();
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    // The program that reads the output may end first, as `| head -1` does.
    if (error.code !== 'EPIPE') throw error;
  });
}
try {
  const program = Object.hasOwn(programs, command) ? programs[command] : undefined;
  if (!program) {
    const names = Object.keys(programs).join(', ');
    throw new PrepareError(`Usage: node scripts/run.mjs <command>. Commands: ${names}`);
  }
  const node = await ensureInstalled();
  if (program.needsWeb) await ensureWebBuilt(node);
  process.exitCode = exitCodeOf(await program.run(node));
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  console.error(error.message);
  if (command === 'test') console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

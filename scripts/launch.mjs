// Shared by the npm commands: prepares the clone, then runs one program on Node 24. Runs on Node
// 20.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureInstalled, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild } from './processes.mjs';

/**
 * Node's arguments for the settings in the file that LINEKEEPER_SETTINGS names, or else in .env; none if
 * there is no .env, or Node would print a note.
 */
export function settingsArguments() {
  const { LINEKEEPER_SETTINGS: named, INIT_CWD: calledIn = '.' } = process.env;
  const file = named ? resolve(calledIn, named) : join(root, '.env');
  if (!named && !existsSync(file)) return [];
  demandReadable(file);
  return named ? [`--env-file=${file}`] : ['--env-file-if-exists=.env'];
}

/** @param {string} file */
function demandReadable(file) {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new PrepareError(
      existsSync(file)
        ? `This user may not read the settings in ${file}.`
        : `There are no settings in ${file}.`,
    );
  }
  if (statSync(file).isDirectory()) {
    throw new PrepareError(`Settings are read from a file, and ${file} is a folder.`);
  }
}

/** The reader of the output may have seen enough, as `| head -1` has. */
function endQuietly() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

/**
 * Prepares the clone, runs `work` and exits with its code; prints a `PrepareError` as one sentence.
 * @param {(node: string) => Promise<import('./processes.mjs').Ending>} work
 */
export async function runPrepared(work) {
  passSignalsToChildren();
  endQuietly();
  try {
    process.exitCode = exitCodeOf(await work(await ensureInstalled()));
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Runs a program of the repository until it ends, with the panel's settings.
 * @param {string} node
 * @param {string} program
 * @param {string[]} args
 * @param {string[]} nodeArgs
 */
export function runProgram(node, program, args = [], nodeArgs = []) {
  return runWithoutSettings(node, program, args, [...settingsArguments(), ...nodeArgs]);
}

/**
 * Runs a program of the repository until it ends.
 * @param {string} node
 * @param {string} program
 * @param {string[]} args
 * @param {string[]} nodeArgs
 */
export function runWithoutSettings(node, program, args = [], nodeArgs = []) {
  return runChild(node, [...nodeArgs, join(root, program), ...args], {
    cwd: root,
    // The IPC channel lets the program notice that this process was killed, and end too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

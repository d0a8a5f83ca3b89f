// Shared by the npm commands: prepares the clone, then runs one program on Node 24. Runs on Node
// 20.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild } from './processes.mjs';

/**
 * Node's arguments for the settings in .env; none if the file is missing, or Node would print a
 * note.
 */
export function settingsArguments() {
  return existsSync(join(root, '.env')) ? ['--env-file-if-exists=.env'] : [];
}

/**
 * Prepares the clone, runs `work` and exits with its code; prints a `PrepareError` as one sentence.
 * @param {(node: string) => Promise<import('./processes.mjs').Ending>} work
 */
export async function runPrepared(work) {
  passSignalsToChildren();
  try {
    process.exitCode = exitCodeOf(await work(await ensureInstalled()));
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Runs a program of the repository until it ends.
 * @param {string} node
 * @param {string} program
 * @param {string[]} args
 */
export function runProgram(node, program, args = []) {
  return runChild(node, [...settingsArguments(), join(root, program), ...args], {
    cwd: root,
    // The IPC channel lets the program notice that this process was killed, and end too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

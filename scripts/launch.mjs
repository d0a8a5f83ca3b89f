// What the npm commands share: a clone made ready, then one program on Node 24. Runs on Node 20.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, PrepareError, root } from './prepare.mjs';
import { exitCodeOf, passSignalsToChildren, runChild } from './processes.mjs';

/** Node's arguments for the settings in .env; without that file none, or Node would mention it. */
export function settingsArguments() {
  return existsSync(join(root, '.env')) ? ['--env-file-if-exists=.env'] : [];
}

/**
 * Does `work` on a clone made ready and ends with its exit code; what stands in the way is said in
 * one sentence.
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
    // By the channel the program notices when this process was killed, and ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

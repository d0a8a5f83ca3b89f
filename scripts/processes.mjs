// Runs child processes that end with this process, which outlives them. Runs on Node 20.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** @type {NodeJS.Signals | undefined} */
let received;

/** Milliseconds to end, longer than any of the panel's programs needs. */
const ENDING_MAY_LAST_MS = 20_000;
const PARENT_CHECK_MS = 500;

/**
 * From here on, a signal goes to the children instead of ending this process; the caller checks
 * `exitIfAsked` after each child. Without a child, the signal ends this process as usual.
 */
export function passSignalsToChildren() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => endBy(signal));
  }
  // npm forwards only some signals, and none when it is killed, so nothing else would end this
  // process.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    endBy('SIGTERM');
  }, PARENT_CHECK_MS);
  check.unref();
}

/** @param {NodeJS.Signals} signal */
function endBy(signal) {
  received ??= signal;
  signalChildren(signal);
  setTimeout(() => signalChildren('SIGKILL'), ENDING_MAY_LAST_MS).unref();
  if (running.size === 0) exitIfAsked();
}

/** @param {NodeJS.Signals} signal */
export function signalChildren(signal) {
  for (const child of running) child.kill(signal);
}

export function exitIfAsked() {
  if (received) process.exit(exitCodeOf({ code: null, signal: received }));
}

/** @param {Ending} ending */
export function exitCodeOf({ code, signal }) {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<Ending>}
 */
export function runChild(command, args, options) {
  const child = spawn(command, args, options);
  running.add(child);
  return once(child, 'exit')
    .then(([code, signal]) => ({ code, signal }))
    .finally(() => running.delete(child));
}

// A lock file for work that two processes would spoil at the same time. Runs on Node 20.
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 1_000;
/**
 * The age at which a lock is stale: a killed holder stops touching its file. A process id would not do, because in
 * two containers that share a folder one id names two processes.
 */
const STALE_AFTER_MS = 10_000;

/**
 * @template T
 * @param {string} file
 * @param {string} waitingMessage printed once when another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, waitingMessage, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let attempt = 0; !tryToTake(file); attempt += 1) {
    if (attempt === 0) console.log(waitingMessage);
    await sleep(200);
  }
  const release = () => rmSync(file, { force: true });
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off('exit', release);
    release();
  }
}

/** @param {string} file */
function tryToTake(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_AFTER_MS) rmSync(file, { force: true });
  } catch {
    // The holder has just released the lock.
  }
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The lock file was removed by hand; the work goes on.
  }
}

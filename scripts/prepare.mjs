// Prepares a clone: installs packages and Node 24, builds the web app. Runs on Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exitIfAsked, runChild } from './processes.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

const OLDEST_MACHINE_NODE = 20;
const OLDEST_RUNTIME_NODE = 24;

const lockFile = join(root, 'package-lock.json');
const installStamp = join(root, 'node_modules', '.linekeeper-lock');
const contract = join(root, 'packages', 'contract');
const lineFiles = join(root, 'packages', 'line-files');
/** The apps that Vite builds, each with the folders that its build reads. */
const built = [
  { what: 'web app', folder: join(root, 'apps', 'web'), reads: [contract, lineFiles] },
  {
    what: 'agent for card servers',
    folder: join(root, 'apps', 'agent'),
    reads: [contract, ...['oscam', 'settings-file'].map((name) => join(root, 'packages', name))],
  },
];
/** @typedef {(typeof built)[number]} Built */

/** How often the holder of a lock touches its file. */
const HEARTBEAT_MS = 1_000;
/**
 * Milliseconds after which a lock is stale, because its holder touches the file more often until it is killed. A
 * process id is not used, because in two containers that share a folder one id means two processes.
 */
const STALE_AFTER_MS = 10_000;

/** An error that the user can fix; it is printed without a stack trace. */
export class PrepareError extends Error {}

/**
 * Runs `npm ci` if the installed packages differ from package-lock.json.
 * @returns {Promise<string>} the path of Node 24, which runs everything else
 */
export async function ensureInstalled() {
  if (majorOf(process.version) < OLDEST_MACHINE_NODE) {
    throw new PrepareError(
      `Node ${OLDEST_MACHINE_NODE} or newer is needed, and this is ${process.version}.`,
    );
  }
  const need = 'The packages must be installed';
  await onlyOnce(isInstalled, need, 'install.lock', 'installing the packages', installPackages);
  return findRuntime();
}

/**
 * Builds the web app, and the agent that the panel serves to card servers, if their sources have changed since the last
 * build.
 * @param {string} node
 */
export async function ensureWebBuilt(node) {
  for (const app of built) {
    const build = () => buildApp(app, node);
    const need = 'The web app must be built';
    await onlyOnce(() => isBuilt(app), need, 'build.lock', 'building the web app', build);
  }
}

/**
 * Does work that is not done yet, while no other process does it.
 * @param {() => boolean} isDone
 * @param {string} need the sentence of the error for a clone that this user may not write to
 * @param {string} lock
 * @param {string} doing the work of another run, for the message while waiting for it
 * @param {() => Promise<void>} work
 */
async function onlyOnce(isDone, need, lock, doing, work) {
  if (isDone()) return;
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new PrepareError(`${need}, but this user is not allowed to write to ${root}.`);
  }
  const release = await takeLock(join(root, '.cache', lock), `Another run is ${doing}`);
  try {
    if (!isDone()) await work();
  } finally {
    release();
  }
}

function isInstalled() {
  if (!existsSync(lockFile)) {
    throw new PrepareError(`${lockFile} is missing: this is not a complete clone.`);
  }
  const wanted = installFingerprint();
  if (readIfThere(installStamp) === wanted) return true;
  if (!isInstalledByHand()) return false;
  try {
    writeFileSync(installStamp, wanted);
  } catch {
    // This user cannot write to the folder, but the folder is complete.
  }
  return true;
}

/** Includes the platform, because a folder shared with a container holds programs for another one. */
function installFingerprint() {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return `${hash} ${process.platform}-${process.arch}`;
}

/**
 * Reads npm's own list of installed packages, which has the format of the lock file, to avoid
 * installing again after a manual `npm ci` or `npm install`.
 */
function isInstalledByHand() {
  const noted = readIfThere(join(root, 'node_modules', '.package-lock.json'));
  if (noted === undefined) return false;
  const installed = JSON.parse(noted).packages;
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  return Object.keys(wanted).every((path) => {
    if (!path.includes('node_modules/')) return true;
    if (wanted[path].link) return existsSync(join(root, path));
    if (!installed[path]) return mayBeMissing(wanted[path]);
    return (
      existsSync(join(root, path, 'package.json')) &&
      installed[path].version === wanted[path].version &&
      installed[path].integrity === wanted[path].integrity
    );
  });
}

/** @param {{ optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} entry */
function mayBeMissing({ optional, os, cpu, libc }) {
  const isForThisPlatform = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc;
  return Boolean(optional) && !isForThisPlatform;
}

async function installPackages() {
  console.log('Installing the packages (npm ci) …');
  const { command, args } = npmCommand();
  // Both kinds of packages are included, because NODE_ENV=production or user settings would omit
  // packages that the build needs. No package here depends on its install script.
  args.push('ci', '--include=dev', '--include=optional', '--ignore-scripts');
  // npm would warn about the machine's Node, which runs only npm itself.
  args.push('--loglevel=error', '--engine-strict=false');
  args.push('--no-audit', '--no-fund', '--prefix', root);
  const shell = process.platform === 'win32' && command === 'npm';
  await runOrStop('npm ci', command, args, { cwd: root, stdio: 'inherit', shell });
  writeFileSync(installStamp, installFingerprint());
}

/**
 * The npm to use. Under `npm start` it is the running npm, on the machine's Node: the npm that is
 * first in PATH is in node_modules, which `npm ci` removes.
 */
export function npmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm && node && basename(npm) === 'npm-cli.js' && existsSync(node)) {
    return { command: node, args: [npm] };
  }
  return { command: 'npm', args: /** @type {string[]} */ ([]) };
}

function findRuntime() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const folder = join(root, 'node_modules', `node-${system}-${process.arch}`);
  const bundled = join(folder, 'bin', program);
  const { stdout } = spawnSync(bundled, ['--version'], { encoding: 'utf8' });
  if (majorOf(stdout ?? '') >= OLDEST_RUNTIME_NODE) return bundled;
  // A Node that cannot run here, for example because of another C library, would be found by the next `npm start`.
  if (existsSync(bundled)) rmSync(join(root, 'node_modules', '.bin', 'node'), { force: true });
  if (majorOf(process.version) >= OLDEST_RUNTIME_NODE) return process.execPath;
  throw new PrepareError(
    `This platform (${process.platform} ${process.arch}) has no bundled Node 24: ` +
      `install Node 24 or newer. This machine has ${process.version}.`,
  );
}

/** @param {string} version like v24.1.0 */
function majorOf(version) {
  return Number(/^v(\d+)/.exec(version)?.[1] ?? 0);
}

/** @param {Built} app */
const stampOf = ({ folder }) => join(folder, 'dist', '.stamp');

/** @param {Built} app */
const isBuilt = (app) => readIfThere(stampOf(app)) === buildFingerprint(app);

/**
 * @param {Built} app
 * @param {string} node
 */
async function buildApp(app, node) {
  console.log(`Building the ${app.what} …`);
  const before = Date.now();
  // The fingerprint is computed before the build, so that a file saved during the build makes the result stale.
  const fingerprint = buildFingerprint(app);
  rmSync(stampOf(app), { force: true });
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await runOrStop(`The build of the ${app.what}`, node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: app.folder,
    stdio: 'inherit',
    // A development setting in the caller's shell would produce a slow and large build.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  writeFileSync(stampOf(app), fingerprint);
  console.log(`Built in ${((Date.now() - before) / 1000).toFixed(1)} s.`);
}

/** @param {Built} app */
function buildFingerprint({ folder, reads }) {
  const hash = createHash('sha256');
  for (const file of [...[folder, ...reads].flatMap(filesBelow), lockFile]) {
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]} sorted, without files that the build does not read
 */
function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        return ['dist', 'node_modules'].includes(entry.name) ? [] : filesBelow(path);
      }
      return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
    });
}

/**
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
async function runOrStop(what, command, args, options) {
  const ending = await runChild(command, args, options).catch((error) => {
    throw new PrepareError(`${what} could not start: ${error.message}`);
  });
  exitIfAsked();
  if (ending.code !== 0) {
    throw new PrepareError(`${what} failed (${ending.signal ?? `exit code ${ending.code}`}).`);
  }
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Takes a lock file, so that two processes do not do the same work at once. Returns a function that
 * releases it.
 * @param {string} file
 * @param {string} obstacle printed once when another process holds the lock
 */
async function takeLock(file, obstacle) {
  mkdirSync(dirname(file), { recursive: true });
  for (let attempt = 0; !tryToTake(file); attempt += 1) {
    if (attempt === 0) console.log(`${obstacle}. Continuing when it ends …`);
    await sleep(200);
  }
  const heartbeat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // The lock file was removed manually; the work continues.
    }
  }, HEARTBEAT_MS);
  const release = () => {
    clearInterval(heartbeat);
    process.off('exit', release);
    rmSync(file, { force: true });
  };
  process.once('exit', release);
  return release;
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

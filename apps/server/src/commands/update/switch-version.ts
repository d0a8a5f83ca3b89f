import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HeldFolder, lockFolder } from '@linekeeper/data-folder/lock.ts';
import { compareVersions } from '../../platform/config/version.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';
import { readPanel } from '../panel-facts.ts';
import { CommandFailure, say } from '../run-command.ts';
import { fetchFile, type Release } from './feed.ts';

/** The place of an installed panel, and the way to find out whether it responds. */
export interface Installation {
  /** The folder of the program, with bin/linekeeper. */
  root: string;
  /** The folder of packages, and of the record of the last change. */
  cache: string;
  backups: string;
  url: string;
  /** Milliseconds for a version to come up, which includes the update of its schema. */
  patience: number;
}

/** The last change of the version. It is `begun` from the first step that changes something until its end. */
interface Change {
  from: string;
  to: string;
  backup: string;
  state: 'begun' | 'done' | 'gone_back';
}

const ignore = () => {};

const WENT_BACK = 3;
const LOOK_EVERY_MS = 1000;
const MOST_RESTARTS = 3;
const SPARE_BYTES = 64 * 1024 ** 2;

/** Runs a program in a process group of its own, which Ctrl-C does not reach; returns its output. */
async function run(program: string, args: string[]): Promise<string> {
  const options = { detached: true, maxBuffer: 64 * 1024 ** 2 };
  try {
    return (await promisify(execFile)(program, args, options)).stdout.trim();
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const reason = stderr.trim().split('\n').at(-1) || errorMessage(error);
    throw new Error(`${basename(program)} failed: ${reason}`, { cause: error });
  }
}

/** Runs a command of the version that is installed now; returns what it prints with --json. */
async function ask({ root }: Installation, ...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await run(join(root, 'bin', 'linekeeper'), [...args, '--json']));
}

const service = (verb: string) => run('systemctl', [verb, 'linekeeper']);

async function packageName(version: string): Promise<string> {
  return `linekeeper_${version}_${await run('dpkg', ['--print-architecture'])}.deb`;
}

/** The version that is installed whole; null after an installation that was interrupted. */
async function installedVersion(): Promise<string | null> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders
  const format = ['-W', '-f', '${db:Status-Status} ${Version}', 'linekeeper'];
  const [status, version = null] = (await run('dpkg-query', format)).split(' ');
  return status === 'installed' ? version : null;
}

const recordFile = ({ cache }: Installation) => join(cache, 'update.json');

function readRecord(at: Installation): Change | null {
  try {
    return JSON.parse(readFileSync(recordFile(at), 'utf8'));
  } catch {
    // The file is missing, because there was no update yet.
    return null;
  }
}

function writeRecord(at: Installation, change: Change): Change {
  const part = `${recordFile(at)}.part`;
  writeFileSync(part, JSON.stringify(change), { mode: 0o600, flush: true });
  renameSync(part, recordFile(at));
  return change;
}

async function restarts(): Promise<{ state: string; count: number }> {
  const shown = await run('systemctl', ['show', 'linekeeper', '-p', 'ActiveState,NRestarts']);
  const [, state = ''] = /^ActiveState=(.*)$/m.exec(shown) ?? [];
  return { state, count: Number(/^NRestarts=(\d+)$/m.exec(shown)?.[1] ?? 0) };
}

/** Starts the panel and waits until it responds; returns the reason if it does not. */
async function start(at: Installation, version: string): Promise<string | null> {
  await service('start');
  const before = (await restarts()).count;
  const end = performance.now() + at.patience;
  for (;;) {
    const { health, ready } = await readPanel(at.url);
    if (health?.version === version && ready?.status === 'ok') return null;
    const { state, count } = await restarts();
    if (state === 'failed' || state === 'inactive') return `the panel has ended (${state})`;
    if (count - before >= MOST_RESTARTS) return 'the panel ends again and again';
    if (performance.now() > end) {
      const got = health ? `${health.version} is ${ready?.status ?? health.status}` : 'no response';
      return `it was not ready at ${at.url} in time (${got})`;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

async function install({ cache }: Installation, version: string): Promise<void> {
  const file = join(cache, await packageName(version));
  // The settings file stays as it is, however the package's own has changed.
  await run('dpkg', ['--force-confold', '--force-confdef', '--install', file]);
}

async function restore(at: Installation, backup: string): Promise<void> {
  say(`Restoring ${backup}`);
  await ask(at, 'restore', backup, '--replace', '--push-all');
}

/** Returns to the previous version; the database is restored if its schema is newer, or was replaced. */
async function goBack(
  at: Installation,
  change: Change,
  why: string,
  wasReplaced: boolean,
): Promise<never> {
  const { from, to, backup } = change;
  say(`${to} did not start: ${why}. Going back to ${from}`);
  try {
    await service('stop');
    // The package may have been refused, for example because apt is running.
    if ((await installedVersion()) !== from) await install(at, from);
    await service('stop');
    const { newer } = await ask(at, 'migrate');
    if (wasReplaced || (Array.isArray(newer) && newer.length > 0)) await restore(at, backup);
    const problem = await start(at, from);
    if (problem) throw new Error(`${from} did not start either: ${problem}`);
  } catch (error) {
    throw new Error(
      `${to} did not start (${why}), and going back failed: ${errorMessage(error)}. The packages are in ${at.cache}, ` +
        `and the backup is ${backup}`,
      { cause: error },
    );
  }
  writeRecord(at, { ...change, state: 'gone_back' });
  throw new CommandFailure(
    `${to} did not start (${why}). ${from} runs again. The messages of ${to} are in linekeeper logs`,
    WENT_BACK,
  );
}

async function finish(at: Installation, change: Change, wasReplaced = false) {
  const problem = await start(at, change.to).catch(errorMessage);
  if (problem) return goBack(at, change, problem, wasReplaced);
  const kept = await Promise.all([change.from, change.to].map(packageName));
  for (const name of readdirSync(at.cache)) {
    if (name.endsWith('.deb') && !kept.includes(name)) rmSync(join(at.cache, name));
  }
  writeRecord(at, { ...change, state: 'done' });
  say(`Version ${change.to} runs`);
  const { from, to, backup } = change;
  return { from, to, backup };
}

async function refuseFullDisk({ root }: Installation, file: string): Promise<void> {
  const needed = Number(await run('dpkg-deb', ['-f', file, 'Installed-Size'])) * 1024 + SPARE_BYTES;
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize >= needed) return;
  const [free, need] = [bavail * bsize, needed].map((bytes) => Math.ceil(bytes / 1024 ** 2));
  throw new Error(`${free} MB are free at ${root}, and ${need} MB are needed. Nothing was changed`);
}

/** Changes of a panel that still runs would be lost if the backup is restored. */
async function refuseOtherPanels(): Promise<void> {
  const units = ['list-units', '--plain', '--no-legend', '--state=active,activating'];
  if (!(await run('systemctl', [...units, 'linekeeper@*']))) return;
  throw new Error(
    "Panels run as linekeeper@…. Stop them with systemctl stop 'linekeeper@*', run this again, and start them after it. " +
      'Nothing was changed',
  );
}

interface Switch {
  from: string;
  to: string;
  /** A backup to restore in the version `to`. */
  restores?: string | undefined;
}

/** Stops the panel, makes a backup, installs `to` and starts it; goes back if it does not start. */
async function switchVersion(at: Installation, { from, to, restores }: Switch) {
  const [older, newer] = await Promise.all([from, to].map(packageName));
  const former = join(at.cache, older ?? '');
  if (!existsSync(former)) {
    throw new Error(
      `There is no ${former}, to which the update could go back. Copy the package of version ${from} there, and run this ` +
        'again. Nothing was changed',
    );
  }
  await refuseFullDisk(at, join(at.cache, newer ?? ''));
  await refuseOtherPanels();
  // A terminal that is closed, or Ctrl-C, must not leave the panel stopped.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.off(signal, ignore).on(signal, ignore);
  }
  const moment = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const backup = join(at.backups, `before-${to}-${moment}.lkb.gz`);
  say(`Stopping the panel for a backup, ${backup}`);
  await service('stop');
  try {
    await ask(at, 'backup', backup);
  } catch (error) {
    await service('start');
    throw new Error(`${errorMessage(error)}. Nothing was changed, and ${from} runs again`, {
      cause: error,
    });
  }
  const change = writeRecord(at, { from, to, backup, state: 'begun' });
  say(`Installing ${to}`);
  try {
    await install(at, to);
    if (restores) {
      await service('stop');
      await restore(at, restores);
    }
  } catch (error) {
    return goBack(at, change, errorMessage(error), restores !== undefined);
  }
  return finish(at, change, restores !== undefined);
}

/** Runs `work` unless another update is running; ends an earlier one that was interrupted first. */
async function alone<T>(at: Installation, work: (from: string) => Promise<T>) {
  mkdirSync(at.cache, { recursive: true, mode: 0o700 });
  let lock: ReturnType<typeof lockFolder>;
  try {
    lock = lockFolder(at.cache);
  } catch (error) {
    if (!(error instanceof HeldFolder)) throw error;
    throw new Error('Another update is running', { cause: error });
  }
  try {
    const record = readRecord(at);
    const isBegun = record?.state === 'begun';
    // An interrupted installation is completed as far as that is possible; what remains is installed again below.
    if (isBegun) await run('dpkg', ['--configure', '-a']).catch(() => {});
    const version = await installedVersion();
    if (isBegun && version === record.to) {
      say(`The change to ${record.to} was interrupted, and is completed now`);
      return await finish(at, record);
    }
    const from = version ?? record?.from;
    if (!from) throw new Error('The package linekeeper is not installed completely');
    return await work(from);
  } finally {
    lock.release();
  }
}

/** Installs the release if it is newer. */
export const update = (at: Installation, release: Release) =>
  alone(at, async (from) => {
    const { version: to } = release;
    const order = compareVersions(to, from);
    if (order < 0) {
      throw new Error(
        `The release in ${release.feed} is version ${to}, which is older than ${from}. Nothing was changed. ` +
          'linekeeper back returns to the previous version',
      );
    }
    if (order === 0 && (await installedVersion()) === to) {
      say(`Version ${to} is the newest`);
      return { from, to, backup: null };
    }
    say(`Fetching ${to}`);
    await fetchFile(release, await packageName(to), at.cache);
    return switchVersion(at, { from, to });
  });

/** Goes back to the version from before the last change, and with `restores` to its data, too. */
export const back = (at: Installation, restores: boolean) =>
  alone(at, async (from) => {
    const record = readRecord(at);
    if (record?.state !== 'done' || record.to !== from) {
      throw new Error('There is no update to go back from. Nothing was changed');
    }
    const { from: to, backup } = record;
    return switchVersion(at, { from, to, restores: restores ? backup : undefined });
  });

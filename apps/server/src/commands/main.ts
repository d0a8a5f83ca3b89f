import { resolve } from 'node:path';
import { type FolderLock, lockFolder } from '@linekeeper/data-folder/lock.ts';
import { refuseOtherOwner } from '@linekeeper/data-folder/owner.ts';
import { checkSettingsFiles } from '@linekeeper/settings-file';
import pino from 'pino';
import { readConfig, settingNames } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';
import type { Panel } from './panel.ts';

const SHUTDOWN_LIMIT_MS = 15_000;

// An unknown level is replaced here; the configuration reports it with its other errors.
const { LOG_LEVEL = '' } = process.env;
const isLevel = LOG_LEVEL === 'silent' || Object.hasOwn(pino.levels.values, LOG_LEVEL);

/** The log is buffered, because a write for each line would delay each request. */
const output = pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 });

const log = pino(
  {
    level: isLevel ? LOG_LEVEL : 'info',
    redact: ['req.headers', 'password', '*.password', 'err.parameters', 'err.detail'],
  },
  output,
);
// The last lines of the log may contain an uncaught error, so they are written out at the exit, too.
process.on('exit', () => output.flushSync());

function endWith(code: number): void {
  process.exitCode = code;
  process.exit(code);
}

// The program that reads the output may exit; the panel must not stop for that.
process.stdout.on('error', () => {});

/**
 * Prints a line; throws unless it was written. Pending log lines are written before, so that they
 * do not separate two printed lines.
 */
function say(line: string): Promise<void> {
  output.flushSync();
  return new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * The lock is taken before heavy modules are loaded, so that a second panel on the same folder is refused immediately.
 */
function lockDataFolder(): FolderLock | undefined {
  const { DATABASE_URL, DATA_DIR } = process.env;
  if (DATABASE_URL) return undefined;
  const folder = resolve(DATA_DIR || './data');
  refuseOtherOwner(folder);
  return lockFolder(folder);
}

let starting: Promise<Panel> | undefined;
let isClosing = false;
/** Aborts a start that waits for its database. */
const ending = new AbortController();

function isOfEnding(error: unknown): boolean {
  return ending.signal.aborted && error instanceof Error && error.name === 'AbortError';
}

async function shutDown(): Promise<void> {
  // This process receives Ctrl-C twice: from the terminal and from npm.
  if (isClosing) return;
  isClosing = true;
  setTimeout(() => endWith(1), SHUTDOWN_LIMIT_MS).unref();
  ending.abort();
  // Waits for a start in progress, which may be migrating the schema.
  const panel = await starting?.catch((error: unknown) => {
    if (!isOfEnding(error)) throw error;
  });
  await panel?.close();
  log.info('stopped');
  endWith(0);
}

// Signals are handled from here on, because an earlier signal would be lost.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, shutDown);
// The launcher has already ended, so nothing else would stop this process.
if (process.connected) process.on('disconnect', shutDown);

try {
  for (const warning of checkSettingsFiles(settingNames)) log.warn(warning);
  // Settings are read before the folder is created, so that an invalid one leaves no folder behind.
  readConfig(process.env);
  const lock = lockDataFolder();
  const { startPanel } = await import('./panel.ts');
  starting = startPanel(process.env, log, {
    ...(lock ? { lock } : {}),
    say,
    ending: ending.signal,
  });
  await starting;
} catch (error) {
  // After a signal, `shutDown` ends the process.
  if (!isOfEnding(error)) {
    process.stderr.write(`${errorMessage(error)}\n`);
    endWith(1);
  }
}

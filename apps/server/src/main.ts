import { resolve } from 'node:path';
import pino from 'pino';
import { sayError } from './core/say-error.ts';
import { type FolderLock, lockFolder } from './db/folder-lock.ts';
import type { Panel } from './panel.ts';

const SHUTDOWN_LIMIT_MS = 15_000;

// A level that does not exist is refused with the rest of the configuration.
const { LOG_LEVEL = '' } = process.env;
const isLevel = LOG_LEVEL === 'silent' || Object.hasOwn(pino.levels.values, LOG_LEVEL);

const log = pino({
  level: isLevel ? LOG_LEVEL : 'info',
  redact: ['req.headers', 'password', '*.password', 'err.parameters', 'err.detail'],
});

function endWith(code: number): void {
  process.exitCode = code;
  log.flush();
  process.exit(code);
}

// A reader that went away is no reason to stop serving.
process.stdout.on('error', () => {});

/** Throws where nobody can have read the line. */
function say(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Before anything heavy is loaded: a second panel on the same folder is refused at once. */
function lockDataFolder(): FolderLock | undefined {
  const { DATABASE_URL, DATA_DIR } = process.env;
  return DATABASE_URL ? undefined : lockFolder(resolve(DATA_DIR || './data'));
}

let starting: Promise<Panel> | undefined;
let isClosing = false;

async function shutDown(): Promise<void> {
  // Ctrl-C reaches this process twice: from the terminal and from npm.
  if (isClosing) return;
  isClosing = true;
  setTimeout(() => endWith(1), SHUTDOWN_LIMIT_MS).unref();
  // A start under way comes first to its end: it may be in the middle of the schema.
  const panel = await starting;
  await panel?.close();
  log.info('stopped');
  endWith(0);
}

// From the first moment on: what was missed would never come again.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, shutDown);
// The launcher died without a word: nobody could end this process any more.
if (process.connected) process.on('disconnect', shutDown);

try {
  const lock = lockDataFolder();
  const { startPanel } = await import('./panel.ts');
  starting = startPanel(process.env, log, {
    ...(lock ? { lock } : {}),
    say,
  });
  await starting;
} catch (error) {
  process.stderr.write(`${sayError(error)}\n`);
  endWith(1);
}

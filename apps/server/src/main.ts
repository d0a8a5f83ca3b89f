import pino from 'pino';
import { startPanel } from './panel.ts';

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

try {
  const panel = await startPanel(process.env, log);
  announce(panel);
  let isClosing = false;
  const shutDown = async () => {
    // Ctrl-C reaches this process twice: from the terminal and from npm.
    if (isClosing) return;
    isClosing = true;
    setTimeout(() => endWith(1), SHUTDOWN_LIMIT_MS).unref();
    await panel.close();
    log.info('stopped');
    endWith(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, shutDown);
  // The launcher died without a word: nobody could end this process any more.
  if (process.connected) process.on('disconnect', shutDown);
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  endWith(1);
}

function announce({ url, first_administrator }: Awaited<ReturnType<typeof startPanel>>): void {
  process.stdout.write(`Linekeeper is running at ${url}\n`);
  if (!first_administrator) return;
  const { email, generated_password } = first_administrator;
  process.stdout.write(`Administrator: ${email}\n`);
  if (generated_password) process.stdout.write(`Password: ${generated_password}\n`);
}

/** Where a name has several addresses, and none of them answers, the words are inside. */
function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError) return error.message || sentenceOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

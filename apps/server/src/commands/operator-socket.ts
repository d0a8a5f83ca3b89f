import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { verifyLedger } from '@linekeeper/contract/credits/transfers.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import * as z from 'zod';
import { codeOf } from '../db/errors.ts';
import {
  NotReset,
  type OperatorReset,
  type OperatorResetDone,
  operatorReset,
  operatorResetDone,
  resetByOperator,
} from '../domain/accounts/operator-reset.ts';
import { panelOrigin } from '../domain/audit/audit.ts';
import { spoolBackup } from '../domain/backups/make-backup.ts';
import type { Services } from '../domain/context/context.ts';
import { checkLedger } from '../features/credits/verify-ledger.ts';
import { errorMessage } from '../platform/errors/error-message.ts';

/**
 * The path of the panel's own socket. While a panel runs, no other program can open the embedded
 * database. Anyone who may write to this file, the panel's user and root, could read and change the
 * database with the panel stopped, too. The socket accepts new passwords, and it sends a backup and
 * the verdict on the books.
 */
const socketPath = (folder: string) => join(folder, 'operator.sock');

const MOST_BYTES = 4096;
const TIMEOUT_MS = 30_000;
/** Milliseconds without a byte for work on the whole database. */
const LONG_TIMEOUT_MS = 30 * 60_000;
const BACKUP = '/backup';
const VERIFY = '/verify';
/** File mode: access for the owner only. */
const NOT_FOR_OTHERS = 0o177;

async function readAsked(incoming: IncomingMessage): Promise<OperatorReset | null> {
  const length = Number(incoming.headers['content-length']);
  if (incoming.method !== 'POST' || !(length <= MOST_BYTES)) return null;
  const found = operatorReset.safeParse(await json(incoming).catch(() => null));
  return found.success ? found.data : null;
}

async function sendBackup(services: Services, reply: ServerResponse): Promise<void> {
  const gone = new AbortController();
  reply.once('close', () => gone.abort());
  const packed = await spoolBackup(services, panelOrigin, gone.signal);
  reply.writeHead(200, { 'content-type': 'application/gzip', connection: 'close' });
  await pipeline(packed, reply);
}

async function answer(services: Services, incoming: IncomingMessage, reply: ServerResponse) {
  const { db, log, secrets } = services;
  const end = (status: number, body: object) => {
    reply.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    reply.end(JSON.stringify(body));
  };
  try {
    if (incoming.method === 'POST' && incoming.url === BACKUP) {
      return await sendBackup(services, reply);
    }
    if (incoming.method === 'POST' && incoming.url === VERIFY) {
      return end(200, await checkLedger(db, secrets));
    }
    const asked = await readAsked(incoming);
    if (!asked) return end(400, { problem: 'The panel does not understand this command' });
    end(200, await resetByOperator(db, asked));
    log.info('a password was reset on the machine');
  } catch (error) {
    if (!(error instanceof NotReset)) log.error({ err: error }, 'a command on the machine failed');
    if (reply.headersSent) reply.destroy();
    else end(409, { problem: errorMessage(error) });
  }
}

/**
 * Opens the socket of a panel that holds the folder's lock; returns a function that closes it. If the file system has
 * no sockets, the panel runs without one, and the command asks the operator to stop it.
 */
export async function openOperatorSocket(
  services: Services,
  folder: string,
): Promise<() => Promise<void>> {
  if (process.platform === 'win32') return async () => {};
  const server = createServer({ requestTimeout: TIMEOUT_MS }, (incoming, reply) =>
    answer(services, incoming, reply),
  );
  const path = socketPath(folder);
  try {
    // A panel that was killed leaves its socket behind.
    rmSync(path, { force: true });
    const before = process.umask(NOT_FOR_OTHERS);
    try {
      server.listen(path);
    } finally {
      process.umask(before);
    }
    await once(server, 'listening');
  } catch (error) {
    services.log.warn(`${path} was not opened: ${errorMessage(error)}`);
    return async () => {};
  }
  server.unref();
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}

/** Calls the running panel of the folder; throws a sentence for the operator. */
async function call(folder: string, path: string, timeout: number, body = '') {
  const asked = request({
    socketPath: socketPath(folder),
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    timeout,
  });
  asked.on('timeout', () => asked.destroy(new Error('it does not respond')));
  asked.end(body);
  try {
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    return reply;
  } catch (error) {
    const what =
      codeOf(error) === 'ENOENT'
        ? `and has no ${socketPath(folder)}. If it is still starting, run this command again in a minute. Otherwise, stop`
        : `and its ${socketPath(folder)} could not be used (${errorMessage(error)}). Stop`;
    throw new Error(
      `A panel is running on ${folder}, ${what} the panel, run this command again, then start the panel`,
      { cause: error },
    );
  }
}

/** The reply; throws the panel's own sentence if it refused. */
async function accepted<T>(reply: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const found: unknown = await json(reply).catch(() => null);
  const { data, success } = schema.safeParse(found);
  if (success && reply.statusCode === 200) return data;
  const { problem } = (found ?? {}) as { problem?: unknown };
  throw new Error(typeof problem === 'string' ? problem : 'The panel did not reply');
}

/** Has the running panel of the folder set a new password. */
export async function askThroughSocket(
  folder: string,
  asked: OperatorReset,
): Promise<OperatorResetDone> {
  return accepted(await call(folder, '/', TIMEOUT_MS, JSON.stringify(asked)), operatorResetDone);
}

/** Has the running panel of the folder verify its books. */
export async function verifyThroughSocket(folder: string): Promise<Reply<typeof verifyLedger>> {
  return accepted(await call(folder, VERIFY, LONG_TIMEOUT_MS), verifyLedger.output);
}

/** Writes a backup of the running panel of the folder to a file, readable by its owner only. */
export async function backUpThroughSocket(folder: string, file: string): Promise<void> {
  const reply = await call(folder, BACKUP, LONG_TIMEOUT_MS);
  if (reply.statusCode !== 200) return accepted(reply, z.never());
  await pipeline(reply, createWriteStream(file, { mode: 0o600, flush: true }));
}

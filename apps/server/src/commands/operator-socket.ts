import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { codeOf } from '../db/errors.ts';
import {
  NotReset,
  type OperatorReset,
  type OperatorResetDone,
  operatorReset,
  operatorResetDone,
  resetByOperator,
} from '../domain/accounts/operator-reset.ts';
import type { Services } from '../domain/context/context.ts';
import { errorMessage } from '../platform/errors/error-message.ts';

/**
 * The path of the panel's own socket. While a panel runs, no other program can open the embedded
 * database. Anyone who may write to this file, the panel's user and root, could change the database
 * with the panel stopped, too. The socket accepts new passwords and nothing else.
 */
const socketPath = (folder: string) => join(folder, 'operator.sock');

const MOST_BYTES = 4096;
const TIMEOUT_MS = 30_000;
/** File mode: access for the owner only. */
const NOT_FOR_OTHERS = 0o177;

async function readAsked(incoming: IncomingMessage): Promise<OperatorReset | null> {
  const length = Number(incoming.headers['content-length']);
  if (incoming.method !== 'POST' || !(length <= MOST_BYTES)) return null;
  const found = operatorReset.safeParse(await json(incoming).catch(() => null));
  return found.success ? found.data : null;
}

async function answer({ db, log }: Services, incoming: IncomingMessage, reply: ServerResponse) {
  const end = (status: number, body: object) => {
    reply.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    reply.end(JSON.stringify(body));
  };
  try {
    const asked = await readAsked(incoming);
    if (!asked) return end(400, { problem: 'The panel does not understand this command' });
    end(200, await resetByOperator(db, asked));
    log.info('a password was reset on the machine');
  } catch (error) {
    if (!(error instanceof NotReset)) log.error({ err: error }, 'a password was not reset');
    end(409, { problem: errorMessage(error) });
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

/** Asks the running panel of the folder; throws a sentence for the operator. */
export async function askThroughSocket(
  folder: string,
  asked: OperatorReset,
): Promise<OperatorResetDone> {
  const body = Buffer.from(JSON.stringify(asked));
  const call = request({
    socketPath: socketPath(folder),
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
    timeout: TIMEOUT_MS,
  });
  call.on('timeout', () => call.destroy(new Error('it does not respond')));
  call.end(body);
  let found: unknown;
  try {
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    found = await json(reply);
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
  const { data, success } = operatorResetDone.safeParse(found);
  if (success) return data;
  const { problem } = found as { problem?: unknown };
  throw new Error(typeof problem === 'string' ? problem : 'The panel did not reply');
}

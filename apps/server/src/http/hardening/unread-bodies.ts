import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Bytes of a body that are read and dropped; more than deploy/nginx.conf lets through. */
const DROPPED_BYTES = 16 * 1024 * 1024;
/** Milliseconds in which the rest of a body must arrive; a slower sender gets no response. */
const MAY_TAKE_MS = 30_000;
const SILENT_MS = 5000;

/** Reads and drops the rest of a body until it ends, stops, takes too long, or is too large. */
async function dropBody(raw: IncomingMessage, most: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const silent = setTimeout(resolve, SILENT_MS).unref();
  const late = setTimeout(resolve, MAY_TAKE_MS).unref();
  let left = most;
  raw.on('data', (chunk: Buffer) => {
    silent.refresh();
    left -= chunk.length;
    if (left < 0) resolve();
  });
  finished(raw, () => resolve());
  raw.resume();
  await promise;
  clearTimeout(silent);
  clearTimeout(late);
}

/**
 * Sends each response only when the body of its request has arrived. To a proxy, a connection that
 * ends earlier means a broken panel: it replies 502, or avoids this panel for everyone.
 */
export function replyAfterBody(app: FastifyInstance): void {
  // The hook has a callback instead of a promise, because every reply runs it and nearly all continue immediately.
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    // With this header, Fastify would close the connection before the sender of a body that is too large can read why.
    if (reply.statusCode === 413) reply.removeHeader('connection');
    if (raw.complete) done();
    else void takeBody(raw, reply.raw).then(() => done());
  });
}

/**
 * Ends the connection after the response if the body did not arrive, once its sender has had time to read the reason: a
 * sender to a closed connection learns only that it is closed.
 */
async function takeBody(raw: IncomingMessage, reply: ServerResponse): Promise<void> {
  const announced = Number(raw.headers['content-length'] ?? 0);
  if (announced <= DROPPED_BYTES) await dropBody(raw, DROPPED_BYTES);
  if (raw.complete) return;
  // Node would close the connection with the reply if the client asks for that.
  const { shouldKeepAlive } = reply;
  reply.shouldKeepAlive = true;
  reply.once('finish', async () => {
    await dropBody(raw, Number.POSITIVE_INFINITY);
    if (!raw.complete) raw.destroy();
    else if (!shouldKeepAlive) raw.socket.end();
  });
}

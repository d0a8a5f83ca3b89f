import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** More than a proxy is told to let through (deploy/nginx.conf). */
const DROPPED_BYTES = 16 * 1024 * 1024;
/** A sender that is so slow waits for no refusal. */
const MAY_TAKE_MS = 30_000;
const SILENT_MS = 5000;

/** Reads what is left of a body and forgets it, until it is silent or takes too long, or is too much. */
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
 * A reply is sent when the body of its request has arrived: a connection that ends before is a broken
 * panel to a proxy, which passes it over for everybody or answers 502 in its place.
 */
export function replyAfterBody(app: FastifyInstance): void {
  // With a callback: every reply comes this way, and nearly all go on at once.
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    // Fastify would end the connection of a body that is too large before its sender can read why.
    if (reply.statusCode === 413) reply.removeHeader('connection');
    if (raw.complete) done();
    else void takeBody(raw, reply.raw).then(() => done());
  });
}

/**
 * Ends the connection after the reply where the body did not arrive, but only when its sender has had time to
 * read why: one who still sends to a connection that is closed is told of that alone.
 */
async function takeBody(raw: IncomingMessage, reply: ServerResponse): Promise<void> {
  const announced = Number(raw.headers['content-length'] ?? 0);
  if (announced <= DROPPED_BYTES) await dropBody(raw, DROPPED_BYTES);
  if (raw.complete) return;
  // Node would close it with the reply, if the sender asks for no further one.
  const { shouldKeepAlive } = reply;
  reply.shouldKeepAlive = true;
  reply.once('finish', async () => {
    await dropBody(raw, Number.POSITIVE_INFINITY);
    if (!raw.complete) raw.destroy();
    else if (!shouldKeepAlive) raw.socket.end();
  });
}

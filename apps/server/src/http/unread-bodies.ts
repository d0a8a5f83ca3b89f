import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** More than a proxy is told to let through (deploy/nginx.conf). */
const DROPPED_BYTES = 16 * 1024 * 1024;

/** Reads what is left of a body and forgets it. */
function dropBody(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = DROPPED_BYTES;
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) resolve();
    });
    finished(raw, () => resolve());
    raw.resume();
  });
}

/**
 * A refusal is sent when its body has arrived: a connection that ends before is a broken panel to a
 * proxy, which passes it over for everybody or answers 502 in its place.
 */
export function refuseAfterBody(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, { statusCode }) => {
    const announced = Number(raw.headers['content-length'] ?? 0);
    if (statusCode >= 400 && !raw.complete && announced <= DROPPED_BYTES) await dropBody(raw);
  });
}

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A client that reads nothing for this long is considered gone, even if its connection is open. */
const READER_MAY_PAUSE_MS = 60_000;

/** Sends chunks as fast as the client reads, and generates each one only when needed. */
export function sendFile(
  reply: FastifyReply,
  contentType: string,
  parts: AsyncIterable<string>,
): FastifyReply {
  const { raw } = reply;
  raw.setTimeout(READER_MAY_PAUSE_MS, () => raw.destroy());
  return reply.type(`${contentType}; charset=utf-8`).send(Readable.from(parts));
}

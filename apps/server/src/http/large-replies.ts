import { Readable } from 'node:stream';
import type { DownloadedFile } from '@linekeeper/contract/endpoint.ts';
import type { FastifyReply } from 'fastify';

/** A client that reads nothing for this long is considered gone, even if its connection is open. */
const READER_MAY_PAUSE_MS = 60_000;

/** Sends chunks as fast as the client reads, and generates each one only when needed. */
export function sendText(
  reply: FastifyReply,
  contentType: string,
  parts: AsyncIterable<string>,
): FastifyReply {
  endWithReader(reply);
  return reply.type(`${contentType}; charset=utf-8`).send(Readable.from(parts));
}

function endWithReader({ raw }: FastifyReply): void {
  raw.setTimeout(READER_MAY_PAUSE_MS, () => raw.destroy());
}

/**
 * Sends a file that somebody else chose: never shown as a page, and if it were, without scripts and
 * with an origin of its own.
 */
export function sendDownload(
  reply: FastifyReply,
  { name, type, size, parts }: DownloadedFile,
): FastifyReply {
  endWithReader(reply);
  return reply
    .type(type.startsWith('text/') ? `${type}; charset=utf-8` : type)
    .headers({
      'content-length': size,
      'content-disposition': asAttachment(name),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    .send(Readable.from(parts, { objectMode: false }));
}

/** For old clients a name in ASCII stands first. */
function asAttachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["%\\]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from './errors.ts';
import { negotiateEncoding, readWebFiles, type WebFile } from './web-files.ts';

const FIRST_PAGE = '/index.html';
const PAGE_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };

/**
 * Serves the built web app from memory, compressed at build time, so that pages do not wait for the
 * thread pool that hashes passwords. Every other path without a dot is a screen of the router.
 * Other missing files are 404; requests that accept HTML get the router's page with it.
 */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  // Compresses API replies only: compressed requests are refused like any other that is not JSON.
  await app.register(compress, { global: true, threshold: 1024, globalDecompression: false });
  const files = await readWebFiles(folder);
  const firstPage = files.get(FIRST_PAGE);
  app.get('/*', { schema: { hide: true }, compress: false }, (request, reply) => {
    // Paths that cannot be decoded are refused earlier.
    const path = decodeURIComponent(request.url.split('?')[0] ?? '');
    const file = files.get(path);
    if (file) return sendFile(request, reply, file);
    if (!firstPage || /^\/(api|assets)(\/|$)/.test(path)) return sendRefusal(reply, 'NOT_FOUND');
    if (!path.includes('.')) return sendFile(request, reply, firstPage);
    const isForReading = /\btext\/html\b/.test(request.headers.accept ?? '');
    return isForReading
      ? reply.status(404).headers(PAGE_HEADERS).send(firstPage.forms.at(-1)?.content)
      : sendRefusal(reply, 'NOT_FOUND');
  });
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, 'NOT_FOUND'));
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply {
  const { encoding, etag, content } = negotiateEncoding(
    file,
    String(request.headers['accept-encoding']),
  );
  void reply.headers({
    etag,
    'cache-control': file.isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(file.forms.length > 1 ? { vary: 'accept-encoding' } : {}),
  });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send();
  if (encoding) void reply.header('content-encoding', encoding);
  return reply.type(file.type).send(content);
}

/** True if the client has the file already. Proxies that compress mark ETags as weak. */
function isKnown(known = '', etag: string): boolean {
  const etags = known.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return etags.includes(etag) || etags.includes('*');
}

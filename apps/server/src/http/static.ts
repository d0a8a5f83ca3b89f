import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from './errors.ts';

const FIRST_PAGE = '/index.html';
const PAGE_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** Encodings of the compressed copies that the build writes, by their extensions, smallest first. */
const encodings = { '.br': 'br', '.gz': 'gzip' } as const;

/**
 * Serves the built web app from memory, compressed at build time, so that pages do not wait for the
 * thread pool that hashes passwords. Every other path without a dot is a screen of the router.
 * Other missing files are 404; if the request accepts HTML, the body is the router's page.
 */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  // Compresses replies of the API. Compressed requests are not accepted, because their bodies are not JSON.
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
  const { encoding, etag, content } = chooseForm(file, request.headers['accept-encoding'] ?? '');
  void reply.headers({
    etag,
    'cache-control': file.isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(file.forms.length > 1 ? { vary: 'accept-encoding' } : {}),
  });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send();
  if (encoding) void reply.header('content-encoding', encoding);
  return reply.type(file.type).send(content);
}

/** True if the client already has the file. Proxies that compress mark ETags as weak. */
function isKnown(known = '', etag: string): boolean {
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

interface Form {
  encoding: (typeof encodings)[keyof typeof encodings] | null;
  etag: string;
  content: Buffer;
}

interface WebFile {
  type: string;
  /** True if the name contains a hash of the content, so that the content of that name never changes. */
  isNamedByContent: boolean;
  /** Available encodings, smallest first, uncompressed last. */
  forms: Form[];
}

async function readWebFile(folder: string, name: string, names: Set<string>): Promise<WebFile> {
  const forms: Form[] = [];
  for (const [ending, encoding] of [...Object.entries(encodings), ['', null] as const]) {
    if (!names.has(name + ending)) continue;
    const content = await readFile(join(folder, name + ending));
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
    forms.push({ encoding, etag: `"${hash}"`, content });
  }
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    isNamedByContent: name.startsWith('assets/'),
    forms,
  };
}

/** All files of the built web app by path, such as /assets/start.js; empty if it is not built. */
async function readWebFiles(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const names = new Set(found.map((name) => name.replaceAll('\\', '/')));
  const files = new Map<string, WebFile>();
  for (const name of names) {
    const isPackedCopy = extname(name) in encodings;
    // Names with a leading dot belong to the build and are not served.
    if (isPackedCopy || name.startsWith('.')) continue;
    files.set(`/${name}`, await readWebFile(folder, name, names));
  }
  return files;
}

/** The smallest form that the client's Accept-Encoding allows. */
function chooseForm({ forms }: WebFile, accepted: string): Form {
  const codings = accepted
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim().replace(/;\s*q=(?!0(\.0*)?$).*/, ''));
  const chosen = forms.find(({ encoding }) => encoding === null || codings.includes(encoding));
  return chosen as Form;
}

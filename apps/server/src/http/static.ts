import { existsSync } from 'node:fs';
import { join } from 'node:path';
import compress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './errors.ts';

/** The built web app; every path that is no file and no API call is a screen of its router. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  // Replies only: a packed request is refused like any other that is not JSON.
  await app.register(compress, { global: true, threshold: 1024, globalDecompression: false });
  const isBuilt = existsSync(join(folder, 'index.html'));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      index: 'index.html',
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isNamedByContent = path.includes(`${join(folder, 'assets')}/`);
        reply.header(
          'cache-control',
          isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const isScreen = request.method === 'GET' && !request.url.startsWith('/api') && isBuilt;
    const isBuiltFile = request.url.startsWith('/assets/');
    return isScreen && !isBuiltFile
      ? reply.sendFile('index.html')
      : sendRefusal(reply, 'NOT_FOUND');
  });
}

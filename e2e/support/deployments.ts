import { readdir, readFile } from 'node:fs/promises';
import { request as ask, createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { panelUrl } from './panel.ts';

const DIST = join(import.meta.dirname, '../../apps/web/dist');
// Some files have only a hash as their name. If such a file kept its name, it would come from the
// cache, and load the earlier version.
const HASHED = /[-/]([\w-]{7})\.(js|css)$/;
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

type Build = Map<string, Buffer>;

async function readBuild(): Promise<Build> {
  const entries = await readdir(DIST, { recursive: true, withFileTypes: true });
  const build: Build = new Map();
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) build.set(file.slice(DIST.length), await readFile(file));
  }
  return build;
}

/** The same application with other file names, as another version of it has. */
function renamed(build: Build): Build {
  const names = new Map<string, string>();
  for (const path of build.keys()) {
    const [, hash = ''] = HASHED.exec(path) ?? [];
    if (hash) names.set(hash, `n${hash.slice(1, -1)}n`);
  }
  const rename = (text: string) =>
    text.replace(/[\w-]{7}(?=\.(js|css))/g, (found) => names.get(found) ?? found);
  const next: Build = new Map();
  for (const [path, content] of build) {
    const isText = /\.(js|css|json|html)$/.test(path) && path !== '/sw.js';
    next.set(rename(path), isText ? Buffer.from(rename(content.toString())) : content);
  }
  return next;
}

/** A proxy in front of the panel, which can serve a new version of the web app. */
export class Deployments {
  readonly #server: Server;
  #build: Build;
  readonly #later: Build;
  /** Requested scripts and styles that no longer exist. */
  readonly missed: string[] = [];

  private constructor(build: Build) {
    this.#build = build;
    this.#later = renamed(build);
    this.#server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', panelUrl).pathname;
      if (!path.startsWith('/api/')) return this.#sendFile(path, response);
      const { hostname, port } = new URL(panelUrl);
      const { method, headers, url } = request;
      const forwarded = ask({ hostname, port, path: url, method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      response.on('close', () => forwarded.destroy());
      request.pipe(forwarded);
    });
  }

  static async start(): Promise<Deployments> {
    const deployments = new Deployments(await readBuild());
    await new Promise<void>((done) => {
      deployments.#server.listen(0, '127.0.0.1', done);
    });
    return deployments;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  deploy(): void {
    this.#build = this.#later;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => {
      this.#server.close(done);
    });
  }

  #sendFile(path: string, response: ServerResponse): void {
    const isNamed = path.includes('.');
    const content = this.#build.get(isNamed ? path : '/index.html');
    if (!content) {
      this.missed.push(path);
      response.writeHead(404).end();
      return;
    }
    const cache = path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
    const type = types[isNamed ? extname(path) : '.html'] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'cache-control': cache }).end(content);
  }
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { AGENT_SCRIPT_PATH } from '@linekeeper/contract/servers/awaited.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../domain/context/context.ts';
import { version } from '../platform/config/version.ts';
import { fail } from '../platform/errors/refusal.ts';
import { networkOf } from '../platform/network.ts';
import { agentFilesLimit, enforceLimit } from '../platform/rate-limit.ts';

/** Addresses that are safe between quotes in the script. */
const ADDRESS = /^https?:\/\/[\w.:[\]-]+$/;

/** The name that `uname -m` gives to this panel's Node; none if no card server can run it. */
const machine =
  process.platform === 'linux' ? { x64: 'x86_64', arm64: 'aarch64' }[process.arch as string] : '';

interface Installation {
  script: string;
  agent: Buffer;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** Reads the files that the build made for card servers; null if there are none. */
async function readInstallation(folder: string): Promise<Installation | null> {
  const [template, agent] = await Promise.all(
    ['install.sh', 'linekeeper-agent.mjs'].map((name) =>
      readFile(join(folder, name)).catch(() => null),
    ),
  );
  if (!template || !agent) return null;
  const values: Record<string, string> = {
    VERSION: version,
    AGENT_SHA256: createHash('sha256').update(agent).digest('hex'),
    NODE_SHA256: machine ? await sha256Of(process.execPath) : '',
    NODE_MACHINE: machine ?? '',
  };
  const script = template
    .toString()
    .replace(/@([A-Z0-9_]+)@/g, (mark, name: string) => values[name] ?? mark);
  return { script, agent };
}

/** The panel's address. Throws NOT_FOUND for an address that is not safe between quotes in the script. */
function panelAddress(request: FastifyRequest, { public_url }: Services['config']): string {
  const address = public_url?.origin ?? `${request.protocol}://${request.host}`;
  return ADDRESS.test(address) ? address : fail('NOT_FOUND');
}

/**
 * Serves the files with which a card server installs and updates its agent, by curl or wget: the script, the agent as
 * one file, and this panel's Node. None of them is secret; the key decides what an agent may do. The script contains
 * the hashes of the other two. Refuses with NOT_FOUND a file that the build did not make, and with TOO_MANY_ATTEMPTS a
 * client that fetches too many.
 */
export function serveAgent(app: FastifyInstance, services: Services, folder: string): void {
  let reading: Promise<Installation | null> | undefined;
  const installation = async () => {
    reading ??= readInstallation(folder);
    return (await reading) ?? fail('NOT_FOUND');
  };
  const options = { schema: { hide: true }, compress: false, exposeHeadRoute: false } as const;

  app.get(AGENT_SCRIPT_PATH, options, async (request, reply) => {
    const { script } = await installation();
    const panel = panelAddress(request, services.config);
    void reply.header('cache-control', 'no-store').type('text/x-shellscript; charset=utf-8');
    return script.replace('@PANEL@', () => panel);
  });
  app.get('/agent/linekeeper-agent.mjs', options, async (_request, reply) => {
    const { agent } = await installation();
    return reply.header('cache-control', 'no-store').type('text/javascript').send(agent);
  });
  app.get('/agent/node.gz', options, async (request, reply) => {
    if (!machine) return fail('NOT_FOUND');
    await enforceLimit(services.db, agentFilesLimit, networkOf(request.ip));
    void reply.header('cache-control', 'no-store').type('application/gzip');
    // Packed while it is sent, so that an installed panel does not take another 45 MB of the disk.
    return reply.send(pipeline(createReadStream(process.execPath), createGzip(), () => undefined));
  });
}

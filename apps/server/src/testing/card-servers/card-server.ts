import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../at-end.ts';

/** A card server that accepts every call; the test decides when an addition gets its reply. */
export interface ScriptedCardServer {
  url: string;
  port: number;
  /** Usernames of the received add calls. */
  adds: string[];
  /** Closes all connections and the server. */
  stop(): Promise<void>;
}

/** `onAdd` runs when an add call is received; the reply waits for it. */
export async function startScriptedCardServer(
  onAdd: (username: string) => Promise<void>,
): Promise<ScriptedCardServer> {
  const adds: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url === '/add-user') {
      const { username } = JSON.parse(Buffer.concat(chunks).toString());
      adds.push(username);
      await onAdd(username);
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ message: 'ok', version: '1' }));
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    adds,
    stop: atEnd(async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    }),
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
}

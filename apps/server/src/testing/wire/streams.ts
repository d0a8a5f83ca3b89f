import { request } from 'node:http';
import type { LiveEvent } from '@linekeeper/contract/live.ts';
import { credentialsOf, type TestClient } from '../client.ts';

export interface TestStream {
  status: number;
  headers: Record<string, unknown>;
  events: LiveEvent[];
  /** Everything received so far. */
  text(): string;
  isOpen(): boolean;
  ended: Promise<void>;
  close(): void;
}

/** Opens GET /api/events with the client's session or API key; resolves once the reply has begun. */
export function openStream(client: TestClient): Promise<TestStream> {
  return new Promise((resolve, reject) => {
    const events: LiveEvent[] = [];
    let [text, read, isOpen] = ['', 0, true];
    const { url } = client;
    const headers = credentialsOf(client);
    const sent = request(`${url}/api/events`, { headers, agent: false }, (reply) => {
      reply.setEncoding('utf8');
      reply.on('data', (chunk: string) => {
        text += chunk;
        for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
          const message = text.slice(read, end);
          read = end + 2;
          if (message.startsWith('data: ')) events.push(JSON.parse(message.slice(6)));
        }
      });
      reply.on('error', () => {});
      const ended = new Promise<void>((done) =>
        reply.on('close', () => {
          isOpen = false;
          done();
        }),
      );
      resolve({
        status: reply.statusCode ?? 0,
        headers: reply.headers,
        events,
        text: () => text,
        isOpen: () => isOpen,
        ended,
        close: () => sent.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

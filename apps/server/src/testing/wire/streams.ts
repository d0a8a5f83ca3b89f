import { request } from 'node:http';
import { CAUGHT_UP, type LiveEvent } from '@linekeeper/contract/live.ts';
import { expect } from 'vitest';
import { credentialsOf, type TestClient } from '../client.ts';

export interface TestStream {
  status: number;
  headers: Record<string, unknown>;
  events: LiveEvent[];
  /** The text received so far. */
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

export interface EventStream {
  /** The events received so far. */
  events: LiveEvent[];
  /** True if the server has ended the stream. */
  hasEnded(): boolean;
  /** Waits until an event matching `expected` is received. */
  hears(expected: Partial<LiveEvent>): Promise<void>;
  /** True if the stream began with all changes that were announced since the page was opened. */
  isCaughtUp(): boolean;
  close(): void;
}

/** Opens GET /api/events with this client's session, `back` milliseconds after its page was opened. */
export async function openEventStream(client: TestClient, back?: number): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(
    `${client.url}/api/events${back === undefined ? '' : `?back=${back}`}`,
    {
      headers: { cookie: client.cookie },
      signal: abort.signal,
    },
  );
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events: LiveEvent[] = [];
  let hasEnded = false;
  let isCaughtUp = false;
  const read = async () => {
    let unread = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (unread + text).split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data) events.push(JSON.parse(data));
        isCaughtUp ||= block.includes(`event: ${CAUGHT_UP}`);
      }
    }
    hasEnded = true;
  };
  // Closing the stream in the test must not count as ended by the server.
  read().catch(() => {});
  return {
    events,
    hasEnded: () => hasEnded,
    isCaughtUp: () => isCaughtUp,
    hears: (expected) =>
      expect.poll(() => events).toContainEqual(expect.objectContaining(expected)),
    close: () => abort.abort(),
  };
}

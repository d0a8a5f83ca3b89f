import { CAUGHT_UP, type LiveEvent } from '@linekeeper/contract/live.ts';
import { expect } from 'vitest';
import type { TestClient } from '../client.ts';

export interface EventStream {
  /** All events received so far. */
  events: LiveEvent[];
  /** True if the server has ended the stream. */
  hasEnded(): boolean;
  /** Waits until an event matching `expected` is received. */
  hears(expected: Partial<LiveEvent>): Promise<void>;
  /** True if the stream began with everything announced since the page was opened. */
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

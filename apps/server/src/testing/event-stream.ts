import type { LiveEvent } from '@linekeeper/contract/live.ts';
import { expect } from 'vitest';
import type { TestClient } from './client.ts';

export interface EventStream {
  /** Everything heard so far. */
  events: LiveEvent[];
  /** Whether the server has ended the stream. */
  hasEnded(): boolean;
  /** Waits until something like `expected` was heard. */
  hears(expected: Partial<LiveEvent>): Promise<void>;
  close(): void;
}

/** Opens GET /api/events as a browser of this session would. */
export async function openEventStream(client: TestClient): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${client.url}/api/events`, {
    headers: { cookie: client.cookie },
    signal: abort.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events: LiveEvent[] = [];
  let hasEnded = false;
  const read = async () => {
    let unread = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (unread + text).split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data) events.push(JSON.parse(data));
      }
    }
    hasEnded = true;
  };
  // Closed by the test itself: not what hasEnded() asks about.
  read().catch(() => {});
  return {
    events,
    hasEnded: () => hasEnded,
    hears: (expected) =>
      expect
        .poll(() => events, { timeout: 2000, interval: 10 })
        .toContainEqual(expect.objectContaining(expected)),
    close: () => abort.abort(),
  };
}

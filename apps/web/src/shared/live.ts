import { EVENTS_PATH, type LiveTable, liveEvent } from '@linekeeper/contract/live.ts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** What a change of a table makes stale. */
const staleKeys: Record<LiveTable, QueryKey[]> = {
  // A server's card counts its lines.
  users: [['lines'], ['servers']],
  auth_users: [['me'], ['accounts']],
  cccam_servers: [['servers']],
  jobs: [['jobs']],
};
const allKeys = Object.values(staleKeys).flat();

const COALESCE_MS = 300;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
/** A connection that lasted this long was a good one: the next try comes soon again. */
const STABLE_MS = 10_000;
const CHANNEL = 'linekeeper-live';

type Message = 'connected' | 'lost' | LiveTable;

function staleAfter(message: Message): QueryKey[] {
  if (message === 'connected') return allKeys;
  // A stream also ends because the account was banned or has another role now.
  if (message === 'lost') return [['me']];
  return staleKeys[message];
}

/** A burst of changes costs one refetch a key, at most every 300 ms. */
function coalescedInvalidation(queryClient: QueryClient) {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    for (const [name, queryKey] of waiting) {
      // What is being fetched may miss this change, but is not cut off: it is asked again after.
      if (queryClient.isFetching({ queryKey }) > 0) continue;
      waiting.delete(name);
      void queryClient.invalidateQueries({ queryKey });
    }
    if (waiting.size > 0) timer = setTimeout(flush, COALESCE_MS);
  };
  return {
    add: (message: Message) => {
      for (const key of staleAfter(message)) waiting.set(JSON.stringify(key), key);
      timer ??= setTimeout(flush, COALESCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** One connection, opened again with growing pauses for as long as it is wanted. */
function connect(onMessage: (message: Message) => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_RETRY_MS;
  let openedAt = Number.POSITIVE_INFINITY;

  const open = () => {
    source = new EventSource(EVENTS_PATH);
    source.onopen = () => {
      openedAt = performance.now();
      // Whatever changed while there was no connection was not told.
      onMessage('connected');
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const event = liveEvent.safeParse(parseJson(data));
      if (event.success) onMessage(event.data.table);
    };
    source.onerror = () => {
      source?.close();
      onMessage('lost');
      if (performance.now() - openedAt > STABLE_MS) pause = FIRST_RETRY_MS;
      openedAt = Number.POSITIVE_INFINITY;
      timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
      pause = Math.min(pause * 2, LONGEST_RETRY_MS);
    };
  };

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The tab that holds the lock keeps the browser's one connection and tells the others: HTTP/1.1
 * gives a browser six connections to the panel, and a stream for each tab would use them up.
 */
function shareConnection(onMessage: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const stopping = new AbortController();
  channel.onmessage = ({ data }: MessageEvent<Message>) => onMessage(data);

  const lead = () =>
    new Promise<void>((done) => {
      const disconnect = connect((message) => {
        onMessage(message);
        channel.postMessage(message);
      });
      stopping.signal.addEventListener('abort', () => {
        disconnect();
        done();
      });
    });
  navigator.locks.request(CHANNEL, { signal: stopping.signal }, lead).catch(() => {
    // Stopped while it waited for the lock.
  });

  return () => {
    stopping.abort();
    channel.close();
  };
}

/** Keeps what is on the screen fresh until the returned function is called. */
export function followLiveChanges(queryClient: QueryClient): () => void {
  const invalidation = coalescedInvalidation(queryClient);
  const canShare = 'locks' in navigator && typeof BroadcastChannel === 'function';
  const disconnect = (canShare ? shareConnection : connect)(invalidation.add);
  return () => {
    disconnect();
    invalidation.stop();
  };
}

import {
  ASK_AGAIN_MS,
  BACK_MARGIN_MS,
  BEAT,
  BEAT_MS,
  CAUGHT_UP,
  EVENTS_PATH,
  type LiveName,
  type LiveRule,
  type LiveTable,
  liveEvent,
  liveRules,
} from '@linekeeper/contract/live.ts';
import type { MutationFilters, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query';
import type { QueryName } from '#platform/api/query-names.ts';
import { reportHeldBack } from '#platform/browser/held-back.ts';

const allNames = [
  ...new Set(Object.values(liveRules).flatMap((rule): readonly LiveName[] => rule.makesStale)),
];

const COALESCE_MS = 300;
/** Milliseconds for which events wait for the reply to a change by this page. */
const REPLY_MS = 3000;
/** Milliseconds after the reply to a change for which the page waits for the event of that change. */
const OWN_EVENT_MS = 1000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
/** Milliseconds after which a connection counts as stable, so that reconnecting starts with the short pause again. */
const STABLE_MS = 10_000;
/** Milliseconds without a sign of life after which the stream counts as broken. */
const SILENT_MS = 2.25 * BEAT_MS;
/**
 * Milliseconds by which a timer must be late to show that the machine was asleep; then it proves
 * nothing about the stream.
 */
const LATE_MS = 5000;
/**
 * Milliseconds between two refetches of everything while events are held back, and between two
 * attempts to receive them.
 */
const ASK_MS = 15_000;
const TRY_AGAIN_MS = 5 * 60_000;
const CHANNEL = 'linekeeper-live';

const failedQueries: QueryFilters = {
  type: 'active',
  predicate: ({ state }) => state.status === 'error',
};

/**
 * Messages about the stream. `held` is repeated each time that everything has to be refetched instead; `flows` ends
 * that.
 */
type Message = 'connected' | 'caught-up' | 'lost' | 'held' | 'flows' | LiveTable;

interface Stale {
  names: readonly LiveName[];
  /** Milliseconds to wait since the last refetch of these queries. */
  afterMs: number;
}

function staleAfter(message: Message): Stale {
  if (message === 'connected' || message === 'held') return { names: allNames, afterMs: 0 };
  if (message === 'caught-up' || message === 'flows') return { names: [], afterMs: 0 };
  // The stream also ends when the account is banned or its role changes.
  if (message === 'lost') return { names: ['me'], afterMs: 0 };
  const { makesStale, atMostEveryMs = ASK_AGAIN_MS }: LiveRule = liveRules[message];
  return { names: makesStale, afterMs: atMostEveryMs };
}

/** Invalidates the queries of each name soon after a change, and then at intervals, even if many changes arrive. */
function coalescedInvalidation(queryClient: QueryClient) {
  /** The time at which the queries of each name are due. */
  const waiting = new Map<QueryName, number>();
  const askedAt = new Map<QueryName, number>();
  /**
   * Names that are only invalidated because changes may have been missed while connecting.
   */
  let doubted = new Set<QueryName>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The time until which events wait for a reply. */
  let replyUntil: number | undefined;
  const schedule = () => {
    clearTimeout(timer);
    if (waiting.size === 0) return;
    timer = setTimeout(flush, Math.min(...waiting.values()) - performance.now());
  };
  const wait = (name: LiveName, afterMs: number) => {
    const last = askedAt.get(name) ?? Number.NEGATIVE_INFINITY;
    const due = Math.max(performance.now() + COALESCE_MS, last + afterMs);
    waiting.set(name, Math.min(due, waiting.get(name) ?? due));
  };
  const flush = () => {
    const now = performance.now();
    if (queryClient.isMutating(refetchedWithEvent) === 0) replyUntil = undefined;
    else replyUntil ??= now + REPLY_MS;
    if (replyUntil !== undefined && now < replyUntil) {
      timer = setTimeout(flush, COALESCE_MS);
      return;
    }
    for (const [name, due] of waiting) {
      if (due > now) continue;
      const queryKey: QueryKey = [name];
      // A running request may miss this change, so the name is invalidated once the request ends.
      if (queryClient.isFetching({ queryKey }) > 0) {
        waiting.set(name, now + COALESCE_MS);
        continue;
      }
      waiting.delete(name);
      askedAt.set(name, now);
      void queryClient.invalidateQueries({ queryKey });
    }
    schedule();
  };
  return {
    add: (message: Message) => {
      if (message === 'held' || message === 'flows') reportHeldBack(message === 'held');
      if (message === 'caught-up') for (const name of doubted) waiting.delete(name);
      if (message === 'caught-up' || message === 'connected') doubted = new Set();
      // Queries that failed without a connection are refetched, including those that no change makes stale.
      if (message === 'connected') void queryClient.refetchQueries(failedQueries);
      const { names, afterMs } = staleAfter(message);
      for (const name of names) {
        if (message !== 'connected') doubted.delete(name);
        else if (!waiting.has(name)) doubted.add(name);
        wait(name, afterMs);
      }
      schedule();
    },
    /** Each change of this page delays the others, so that its events, which may arrive after its reply, come first. */
    addOwn: (names: readonly QueryName[]) => {
      for (const name of [...waiting.keys(), ...names]) {
        doubted.delete(name);
        waiting.set(name, performance.now() + OWN_EVENT_MS);
      }
      schedule();
    },
    stop: () => clearTimeout(timer),
  };
}

let following: ReturnType<typeof coalescedInvalidation> | undefined;

/** Commands with `refetchWithEvent` as `refetch`: their events wait for the reply if they arrive before it. */
const refetchedWithEvent: MutationFilters = {
  predicate: ({ meta }) => meta?.isRefetchedLater === true,
};

/**
 * Refetches the queries that a change of this page has made stale, together with those that its
 * event makes stale, instead of twice.
 */
export function refetchWithEvent(queryClient: QueryClient, names: readonly QueryName[]): void {
  if (following) following.addOwn(names);
  else for (const name of names) void queryClient.invalidateQueries({ queryKey: [name] });
}

/**
 * Opens the event stream, and reopens it with growing pauses until the returned function is called.
 */
function connect(onMessage: (message: Message) => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_RETRY_MS;
  let openedAt = Number.POSITIVE_INFINITY;
  let isFirst = true;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setInterval> | undefined;

  let hasHeard = false;

  /** Records that a message has arrived, so that events are not held back. */
  const hear = () => {
    hasHeard = true;
    listen();
    if (!asking) return;
    clearInterval(asking);
    asking = undefined;
    onMessage('flows');
  };
  const listen = () => {
    clearTimeout(silence);
    const dueAt = performance.now() + SILENT_MS;
    silence = setTimeout(() => {
      const isLate = performance.now() > dueAt + LATE_MS;
      if (!hasHeard && !isLate) askInstead();
      reopen(hasHeard || isLate ? 0 : TRY_AGAIN_MS);
    }, SILENT_MS);
  };
  const askInstead = () => {
    onMessage('held');
    asking ??= setInterval(() => onMessage('held'), ASK_MS);
  };
  const reopen = (afterMs: number) => {
    clearTimeout(silence);
    source?.close();
    openedAt = Number.POSITIVE_INFINITY;
    timer = setTimeout(open, afterMs);
  };

  const open = () => {
    const askedAt = performance.now();
    hasHeard = false;
    listen();
    // The first connection needs only the changes since the page was opened.
    source = new EventSource(isFirst ? `${EVENTS_PATH}?back=${Math.ceil(askedAt)}` : EVENTS_PATH);
    isFirst = false;
    source.addEventListener(BEAT, hear);
    source.addEventListener(CAUGHT_UP, () => {
      hear();
      if (openedAt - askedAt < BACK_MARGIN_MS) onMessage('caught-up');
    });
    source.onopen = () => {
      openedAt = performance.now();
      // Changes during the gap were not sent, so every query may be stale.
      onMessage('connected');
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      hear();
      const event = liveEvent.safeParse(parseJson(data));
      if (event.success) onMessage(event.data.table);
    };
    source.onerror = () => {
      onMessage('lost');
      // The stream was cut before a message arrived, by a proxy that waits for its end.
      if (!hasHeard && performance.now() - askedAt > STABLE_MS) askInstead();
      if (performance.now() - openedAt > STABLE_MS) pause = FIRST_RETRY_MS;
      reopen(pause * (0.75 + Math.random() / 2));
      pause = Math.min(pause * 2, LONGEST_RETRY_MS);
    };
  };

  open();
  return () => {
    clearTimeout(timer);
    clearTimeout(silence);
    clearInterval(asking);
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
 * Only the tab that holds the lock connects, and it forwards messages to the other tabs: HTTP/1.1
 * allows a browser six connections to the panel, which a stream for each tab would use up.
 */
function shareConnection(onMessage: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const stopping = new AbortController();
  channel.onmessage = ({ data }: MessageEvent<Message>) => onMessage(data);

  const lead = () =>
    new Promise<void>((done) => {
      const disconnect = connect((message) => {
        onMessage(message);
        // 'caught-up' is not forwarded: another tab may have missed changes that happened before
        // this tab was opened.
        if (message !== 'caught-up') channel.postMessage(message);
      });
      stopping.signal.addEventListener('abort', () => {
        disconnect();
        done();
      });
    });
  navigator.locks.request(CHANNEL, { signal: stopping.signal }, lead).catch(() => {
    // The tab was closed while it waited for the lock.
  });

  return () => {
    stopping.abort();
    channel.close();
  };
}

/**
 * Refetches queries when their data changes on the server, until the returned function is called.
 */
export function followLiveChanges(queryClient: QueryClient): () => void {
  const invalidation = coalescedInvalidation(queryClient);
  following = invalidation;
  const canShare = 'locks' in navigator && typeof BroadcastChannel === 'function';
  const disconnect = (canShare ? shareConnection : connect)(invalidation.add);
  return () => {
    disconnect();
    invalidation.stop();
    following = undefined;
  };
}

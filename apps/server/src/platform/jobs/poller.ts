/** Work beside requests, from a panel's start to its end. */
export interface Background {
  start(): void | Promise<void>;
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

export interface Poller extends Background {
  /** Looks at once, or again after the look under way, for which the news may have come too late. */
  lookNow(): void;
}

/**
 * Looks for work at an interval, never twice at once, first after one interval. A look that fails is reported; the next
 * one follows.
 */
export function pollEvery(
  ms: number,
  look: () => Promise<void>,
  onError: (error: unknown) => void,
): Poller {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let isWanted = false;
  let isStopping = false;
  const lookWhileWanted = async () => {
    while (isWanted && !isStopping) {
      isWanted = false;
      await look().catch(onError);
    }
    looking = null;
  };
  const lookNow = () => {
    isWanted = true;
    looking ??= lookWhileWanted();
  };
  return {
    start: () => {
      timer = setInterval(() => looking ?? lookNow(), ms).unref();
    },
    lookNow,
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await looking;
    },
  };
}

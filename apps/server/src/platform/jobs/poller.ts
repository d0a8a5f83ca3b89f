/** Work in the background, from a panel's start to its end. */
export interface Background {
  start(): void | Promise<void>;
  /** Waits for running work. */
  stop(): Promise<void>;
}

export interface Poller extends Background {
  /** Looks immediately, or again after the running look, which may have begun too early to see the change. */
  lookNow(): void;
}

/**
 * Looks for work at an interval, one look at a time, first after one interval. A failed look is reported; the next one
 * follows.
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

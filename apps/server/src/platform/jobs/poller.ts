/** Work beside requests, from a panel's start to its end. */
export interface Background {
  start(): void | Promise<void>;
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Looks for work at an interval, never twice at once. A look that fails is reported; the next one follows. */
export class Poller implements Background {
  readonly #everyMs: number;
  readonly #look: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #isWanted = false;
  #isStopping = false;

  constructor(everyMs: number, look: () => Promise<void>, onError: (error: unknown) => void) {
    this.#everyMs = everyMs;
    this.#look = look;
    this.#onError = onError;
  }

  /** The first look is after one interval. */
  start(): void {
    this.#timer = setInterval(() => {
      if (!this.#looking) this.lookNow();
    }, this.#everyMs).unref();
  }

  /** Looks at once, or again after the look under way, for which the news may have come too late. */
  lookNow(): void {
    this.#isWanted = true;
    this.#looking ??= this.#lookWhileWanted();
  }

  async #lookWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isStopping) {
      this.#isWanted = false;
      await this.#look().catch(this.#onError);
    }
    this.#looking = null;
  }

  /** Waits for the look under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
  }
}

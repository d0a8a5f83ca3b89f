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

  constructor(everyMs: number, look: () => Promise<void>, onError: (error: unknown) => void) {
    this.#everyMs = everyMs;
    this.#look = look;
    this.#onError = onError;
  }

  /** The first look is after one interval. */
  start(): void {
    this.#timer = setInterval(() => this.lookNow(), this.#everyMs).unref();
  }

  /** Looks at once, unless it is looking. */
  lookNow(): void {
    this.#looking ??= this.#look()
      .catch(this.#onError)
      .finally(() => {
        this.#looking = null;
      });
  }

  /** Waits for the look under way. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
  }
}

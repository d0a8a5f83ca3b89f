/** Limits concurrent work; further callers wait in order of arrival, up to a maximum. */
export class Semaphore {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting: PromiseWithResolvers<void>[] = [];

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** True if no slot is in use. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** True if the next caller enters without waiting. */
  get hasRoom(): boolean {
    return this.#running < this.#atOnce;
  }

  /**
   * Waits for a slot; returns a function that frees it, or null if too many are already waiting. Rejects with the
   * reason given to `dismiss`.
   */
  async enter(): Promise<(() => void) | null> {
    if (this.hasRoom) this.#running += 1;
    else if (this.#waiting.length >= this.#mostWaiting) return null;
    else await this.#wait();
    let isInside = true;
    return () => {
      if (isInside) this.#leave();
      isInside = false;
    };
  }

  /** Rejects all waiting callers, because the resource that they wait for has failed. */
  dismiss(reason: Error): void {
    for (const turn of this.#waiting.splice(0)) turn.reject(reason);
  }

  #wait(): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    return turn.promise;
  }

  /** Passes the slot to the caller that has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#running -= 1;
  }
}

/** Runs the work for all items, a limited number at a time. Returns the results in the order of the items. */
export async function mapAtMost<Item, Result>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

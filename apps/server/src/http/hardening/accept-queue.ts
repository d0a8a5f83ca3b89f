import type { Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Each turn of the event loop accepts one connection; two turns, because the first may have begun
 * before the call.
 */
const QUIET_TURNS = 2;
const MOST_TURNS = 1000;

/**
 * The operating system's queue of connections. Node accepts one per turn of the event loop, so
 * while turns are long, new connections wait for seconds.
 */
export class AcceptQueue {
  #accepted = 0;
  #emptying: Promise<void> | null = null;

  constructor(server: Server) {
    server.on('connection', () => {
      this.#accepted += 1;
    });
  }

  /**
   * Resolves when the queue is empty, or after `mostTurns` turns of the event loop, so that it ends
   * on slow machines and under constant load. Concurrent callers share one run.
   */
  async empty(mostTurns = MOST_TURNS, quietTurns = QUIET_TURNS): Promise<void> {
    this.#emptying ??= this.#takeAll(mostTurns, quietTurns).finally(() => {
      this.#emptying = null;
    });
    await this.#emptying;
  }

  async #takeAll(mostTurns: number, quietTurns: number): Promise<void> {
    for (let before = -1, turns = 0; before !== this.#accepted && turns < mostTurns; ) {
      before = this.#accepted;
      for (let quiet = 0; quiet < quietTurns; quiet++, turns++) await nextTurn();
    }
  }
}

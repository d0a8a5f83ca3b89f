import type { ServerResponse } from 'node:http';
import { type Endpoint, isMutation } from '@linekeeper/contract/endpoint.ts';
import { DatabaseSilent } from '../../db/deadline.ts';
import { failTemporarily } from '../../platform/errors/refusal.ts';
import { Semaphore } from '../../platform/semaphore.ts';

/**
 * Concurrent calls of one account per process, by kind. Further calls wait before any of their work begins, so that
 * other accounts are not slowed down. Kinds are limited separately, because page reads must not wait for sales, which
 * wait for card servers, or for slow downloads. Further calls are not refused at once, because a script that sends a
 * hundred sales would have to retry most of them.
 */
const bounds = {
  read: { atOnce: 8, waiting: 200 },
  change: { atOnce: 8, waiting: 200 },
  file: { atOnce: 2, waiting: 8 },
  // A page with images requests many of them at a time, so many may wait.
  download: { atOnce: 4, waiting: 200 },
  upload: { atOnce: 2, waiting: 8 },
};
type Kind = keyof typeof bounds;
const RETRY_AFTER_SECONDS = 2;

function kindOf(endpoint: Endpoint): Kind {
  if (endpoint.contentType === 'application/octet-stream') return 'download';
  if (endpoint.contentType) return 'file';
  if (endpoint.takesFile) return 'upload';
  return isMutation(endpoint) ? 'change' : 'read';
}

/** A call's place among its account's concurrent calls. */
export interface CallSlot {
  /** True if the call had to wait; its session may have ended in the meantime. */
  has_waited: boolean;
  /** Keeps the slot until `work` ends, even if the client disconnects. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export class CallLimiter {
  readonly #semaphores = new Map<string, Semaphore>();

  /**
   * Waits for a slot, which is freed immediately if the client disconnects. Throws TOO_MANY_CALLS if too many of the
   * account's calls are already waiting.
   */
  async enter(endpoint: Endpoint, accountId: string, raw: ServerResponse): Promise<CallSlot> {
    const kind = kindOf(endpoint);
    const key = `${kind} ${accountId}`;
    const semaphore = this.#semaphoreOf(key, kind);
    const has_waited = !semaphore.hasRoom;
    const leaveSemaphore = await semaphore.enter();
    if (!leaveSemaphore) failTemporarily('TOO_MANY_CALLS', RETRY_AFTER_SECONDS);
    const leave = () => {
      leaveSemaphore();
      if (semaphore.isIdle && this.#semaphores.get(key) === semaphore) this.#semaphores.delete(key);
    };
    let isAtWork = false;
    if (raw.destroyed) leave();
    else raw.once('close', () => isAtWork || leave());
    return {
      has_waited,
      during: async (work) => {
        isAtWork = true;
        try {
          return await work();
        } catch (error) {
          if (error instanceof DatabaseSilent) this.#dismissAll(error);
          throw error;
        } finally {
          isAtWork = false;
          // A file is generated while it is sent, so its slot stays taken until the reply ends.
          if (!endpoint.contentType || raw.destroyed) leave();
        }
      },
    };
  }

  /** Refuses all waiting calls: once the database has timed out, they would time out one after the other. */
  #dismissAll(reason: Error): void {
    for (const semaphore of this.#semaphores.values()) semaphore.dismiss(reason);
  }

  #semaphoreOf(key: string, kind: Kind): Semaphore {
    const known = this.#semaphores.get(key);
    if (known) return known;
    const { atOnce, waiting } = bounds[kind];
    const semaphore = new Semaphore(atOnce, waiting);
    this.#semaphores.set(key, semaphore);
    return semaphore;
  }
}

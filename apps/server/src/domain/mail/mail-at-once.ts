import type { Background } from '../../platform/jobs/poller.ts';
import type { Services } from '../context/context.ts';
import { queueNoticeMails } from './mail-notices.ts';
import { MAIL_CHANNEL, mailQueue } from './mail-queue.ts';

type Needed = Pick<Services, 'connection' | 'db' | 'jobQueue' | 'live' | 'log' | 'mail'>;

/**
 * Sends mails as soon as the transaction that causes them has committed, whichever panel it was of. What
 * is not heard here is found by the schedule and by the queue itself, later.
 */
export class MailAtOnce implements Background {
  readonly #services: Needed;
  #isStopping = false;
  #isWanted = false;
  #running: Promise<void> | null = null;

  constructor(services: Needed) {
    this.#services = services;
  }

  /** Nothing is sent at once without a mail server. */
  async start(): Promise<void> {
    const { connection, jobQueue, live, mail } = this.#services;
    if (!mail.isConfigured) return;
    const wake = () => jobQueue.wake(mailQueue);
    await connection.listen(MAIL_CHANNEL, wake, wake);
    live.watch('notifications', () => this.#look());
  }

  /** What is heard meanwhile is looked for once more, since it may have come too late for this look. */
  #look(): void {
    this.#isWanted = true;
    this.#running ??= this.#queueAll().finally(() => {
      this.#running = null;
    });
  }

  async #queueAll(): Promise<void> {
    const { connection, log } = this.#services;
    while (this.#isWanted && !this.#isStopping && !connection.isDiskLow()) {
      this.#isWanted = false;
      await queueNoticeMails(this.#services, () => this.#isStopping).catch((error: unknown) => {
        log.error({ err: error }, 'mails of notifications could not be queued');
      });
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }
}

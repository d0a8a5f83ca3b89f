import { withLongStatements } from '../../db/deadline.ts';
import type { BackupConfig } from '../../platform/config/config.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';
import { type Queue, type Worker, worker } from '../../platform/jobs/job-queue.ts';
import { Poller } from '../../platform/jobs/poller.ts';
import { lastDue } from '../../platform/jobs/schedule.ts';
import type { Services } from '../context/context.ts';
import {
  prepareFolder,
  removeForgottenParts,
  removeOldBackups,
  removeParts,
} from './backup-files.ts';
import { findDue, isMade, recordFailure, recordMade } from './backup-runs.ts';
import { makeBackup, readBackupMark } from './make-backup.ts';

const LOOK_EVERY_MS = 10_000;

/**
 * A queue of its own, so that one of the panels that have the setting makes the backup, and other
 * scheduled jobs do not wait for it.
 */
const backupQueue: Queue<{ due_at: string }> = {
  name: 'backup',
  at_a_time: 1,
  poll_seconds: 5,
  // About 2 hours: somebody may make space in the meantime.
  retries: { retryLimit: 6, retryDelay: 60, retryBackoff: true, retryDelayMax: 3600 },
  keyOf: () => 'backup',
};

/** Queues a backup when one is due; any number of panels may do so, and one of them makes it. */
export class BackupLoop {
  readonly #services: Services;
  readonly #backups: BackupConfig | null;
  readonly #poller: Poller;
  #running: Promise<void> | null = null;

  constructor(services: Services) {
    this.#services = services;
    this.#backups = services.config.backups;
    this.#poller = new Poller(
      LOOK_EVERY_MS,
      () => this.#look(),
      (error) => services.log.error({ err: error }, 'the schedule of backups could not be read'),
    );
  }

  /** For the job queue; none if this panel makes no backups. */
  workers(): Worker[] {
    const backups = this.#backups;
    if (!backups) return [];
    return [
      worker(backupQueue, ({ due_at }, { stopping }) =>
        withLongStatements(() => this.#run(backups, due_at, stopping)),
      ),
    ];
  }

  /** A long transaction on the embedded database makes the queue take its own job for dead. */
  async #run(backups: BackupConfig, dueAt: string, stopping: AbortSignal): Promise<void> {
    this.#running ??= runBackup(this.#services, backups, dueAt, stopping).finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  /**
   * Makes the folder, and removes what a killed run has left in it. The disk for backups may be away
   * for a while: that is said, and the panel runs without.
   */
  async prepare(say: (line: string) => Promise<void>): Promise<void> {
    const { connection, db, log } = this.#services;
    if (!this.#backups) return;
    const { dir } = this.#backups;
    const mark = await readBackupMark(db);
    try {
      await prepareFolder(dir);
      await removeForgottenParts(dir);
      // On PostgreSQL another panel may be writing one.
      if (connection.kind === 'embedded') await removeParts(dir, mark);
    } catch (error) {
      const warning = `BACKUP_DIR: ${dir} cannot be written to (${errorMessage(error)})`;
      log.error(warning);
      await say(`${warning}. There are no backups until that is mended`);
    }
  }

  start(): void {
    if (!this.#backups) return;
    this.#poller.start();
    this.#poller.lookNow();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
  }

  async #look(): Promise<void> {
    const { config, connection, db, jobQueue } = this.#services;
    if (!this.#backups || connection.isDiskLow()) return;
    const due_at = await findDue(db, lastDue(this.#backups.schedule, config.time_zone));
    if (due_at === null) return;
    // Not sent where the last one is still tried.
    if (await jobQueue.send(db, backupQueue, { due_at })) jobQueue.wake(backupQueue);
  }
}

/** Makes the backup that was due, then removes old ones. */
async function runBackup(
  services: Services,
  backups: BackupConfig,
  dueAt: string,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log } = services;
  // The panel may have died between its work and the queue's note of it.
  if (await isMade(db, dueAt)) return;
  const made = await makeBackup(services, backups, stopping).catch(async (error: unknown) => {
    if (!stopping.aborted) {
      log.error({ err: error }, `a backup failed: ${errorMessage(error)}`);
      await recordFailure(db, dueAt, backups.dir, error);
    }
    throw error;
  });
  await recordMade(db, dueAt, made);
  log.info(made, 'a backup was made');
  await removeOld(services, backups, made.file).catch((error: unknown) => {
    log.error({ err: error }, 'old backups could not be removed');
  });
}

async function removeOld(
  { db, log }: Services,
  { dir, keep }: BackupConfig,
  made: string,
): Promise<void> {
  const { removed, ahead } = await removeOldBackups(dir, await readBackupMark(db), keep, made);
  if (removed.length > 0) log.info({ removed }, 'old backups were removed');
  if (ahead.length > 0)
    log.error({ ahead }, 'there are backups of moments to come: look at the clock');
}

import type { BackupConfig } from '../../platform/config/config.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';
import type { ScheduledJob } from '../../platform/jobs/scheduler.ts';
import type { Services } from '../context/context.ts';
import {
  prepareFolder,
  removeForgottenParts,
  removeOldBackups,
  removeParts,
} from './backup-files.ts';
import { isMade, recordFailure, recordMade } from './backup-runs.ts';
import { makeBackup, readBackupMark } from './make-backup.ts';

/** The backup by the setting BACKUP_SCHEDULE; none without it. One of the panels that have the setting makes it. */
export function scheduledBackup(services: Services): ScheduledJob[] {
  const { backups } = services.config;
  if (!backups) return [];
  return [
    {
      name: 'backup',
      when: backups.schedule,
      run: ({ due_at, stopping }) => runBackup(services, backups, due_at, stopping),
    },
  ];
}

/**
 * Makes the folder, and removes what a killed run has left in it. The disk for backups may be away
 * for a while: that is said, and the panel runs without.
 */
export async function prepareBackups(
  { config: { backups }, connection, db, log }: Services,
  say: (line: string) => Promise<void>,
): Promise<void> {
  if (!backups) return;
  const { dir } = backups;
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

/** Makes the backup that was due, then removes old ones. */
async function runBackup(
  services: Services,
  backups: BackupConfig,
  dueAt: string,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log } = services;
  // The panel may have died between its work and the note that it is done.
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

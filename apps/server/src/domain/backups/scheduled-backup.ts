import { sql } from 'kysely';
import { type Db, transact } from '../../db/transaction.ts';
import type { BackupConfig } from '../../platform/config/config.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';
import type { ScheduledJob } from '../../platform/jobs/scheduler.ts';
import { auditPanel, panelOrigin } from '../audit/audit.ts';
import type { Services } from '../context/context.ts';
import { notifyAdministrators } from '../notices/notify.ts';
import {
  prepareFolder,
  removeForgottenParts,
  removeOldBackups,
  removeParts,
} from './backup-files.ts';
import { encrypterFor } from './encryption.ts';
import { type MadeBackup, makeBackup, readBackupMark } from './make-backup.ts';

const KEPT_DAYS = 30;

async function isMade(db: Db, dueAt: string): Promise<boolean> {
  const { rows } = await sql`
    select from backup_runs where due_at = ${dueAt}::timestamptz and state = 'made'`.execute(db);
  return rows.length > 0;
}

/** Stores a successful backup, and deletes records of old runs except the last successful one. */
async function recordMade(db: Db, dueAt: string, made: MadeBackup): Promise<void> {
  const { file, bytes, sha256 } = made;
  const run = sql`
    insert into backup_runs (due_at, state, file, bytes, sha256)
      values (${dueAt}, 'made', ${file}, ${bytes}, ${sha256})
      on conflict (due_at) do update set state = excluded.state, file = excluded.file,
        bytes = excluded.bytes, sha256 = excluded.sha256, finished_at = clock_timestamp()`;
  await transact(db, async (tx) => {
    await run.execute(tx);
    await sql`delete from backup_runs
      where finished_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(tx);
    await auditPanel(tx, panelOrigin, 'backup.made', { ...made });
  });
}

/**
 * Stores a failed backup. The audit log gets the first failure of each due backup; administrators are notified of the
 * first one since the last success.
 */
async function recordFailure(db: Db, dueAt: string, folder: string, error: unknown): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<{ is_first: boolean }>`
      insert into backup_runs (due_at, state, failed_at)
        values (${dueAt}, 'failed', clock_timestamp())
        on conflict (due_at) do update set failed_at = excluded.failed_at,
          finished_at = excluded.finished_at where backup_runs.state = 'failed'
        returning xmax = 0 as is_first`.execute(tx);
    if (!rows[0]?.is_first) return;
    await auditPanel(tx, panelOrigin, 'backup.failed', { folder, reason: errorMessage(error) });
    const { last_made } = await readBackupState(tx);
    await notifyAdministrators(tx, {
      event: 'backup_failed',
      facts: { folder },
      link: '/audit?action=backup.failed',
      said_once: `backup_failed:${last_made}`,
    });
  });
}

/** The result of the scheduled backups, in seconds since 1970; 0 if there was none. */
export interface BackupState {
  last_made: number;
  last_bytes: number;
  last_failed: number;
}

export async function readBackupState(db: Db): Promise<BackupState> {
  const { rows } = await sql<BackupState>`
    select coalesce(extract(epoch from max(finished_at) filter (where state = 'made')), 0)::float8
        as last_made,
      coalesce((select bytes from backup_runs where state = 'made'
        order by finished_at desc limit 1), 0) as last_bytes,
      coalesce(extract(epoch from max(failed_at)), 0)::float8 as last_failed
      from backup_runs`.execute(db);
  return rows[0] ?? { last_made: 0, last_bytes: 0, last_failed: 0 };
}

/**
 * The scheduled job that makes backups at the times of BACKUP_SCHEDULE; an empty list without that setting. If there
 * are several panels on one database, only one makes each backup.
 */
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
 * Creates the folder for scheduled backups, and removes the unfinished files of killed runs. The disk for backups may
 * be unavailable for a while, which is logged and does not stop the panel. Throws if BACKUP_RECIPIENT is invalid.
 */
export async function prepareBackups(
  { config: { backups }, connection, db, log }: Services,
  say: (line: string) => Promise<void>,
): Promise<void> {
  if (!backups) return;
  const { dir, recipient } = backups;
  if (recipient) await encrypterFor(recipient);
  const mark = await readBackupMark(db);
  try {
    await prepareFolder(dir);
    await removeForgottenParts(dir);
    // On PostgreSQL these parts may be another panel's backup in progress.
    if (connection.kind === 'embedded') await removeParts(dir, mark);
  } catch (error) {
    const warning = `BACKUP_DIR: ${dir} cannot be written to (${errorMessage(error)})`;
    log.error(warning);
    await say(`${warning}. There are no backups until this is fixed`);
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
  // The process may have ended between the backup and the note that it is done.
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
  try {
    const { dir, keep } = backups;
    const mark = await readBackupMark(db);
    const { removed, ahead } = await removeOldBackups(dir, mark, keep, made.file);
    if (removed.length > 0) log.info({ removed }, 'old backups were removed');
    if (ahead.length > 0)
      log.error({ ahead }, 'some backups have dates in the future: check the clock');
  } catch (error) {
    log.error({ err: error }, 'old backups could not be removed');
  }
}

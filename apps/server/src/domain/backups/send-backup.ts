import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { type Db, transact } from '../../db/transaction.ts';
import type { BackupConfig, CopyConfig } from '../../platform/config/config.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';
import { every } from '../../platform/jobs/schedule.ts';
import type { ScheduledJob } from '../../platform/jobs/scheduler.ts';
import { readKept, writeKept } from '../../platform/settings.ts';
import type { Services } from '../context/context.ts';
import { notifyAdministrators } from '../notices/notify.ts';
import { runProgram } from './backup-command.ts';
import { measure, oldBackups } from './backup-files.ts';
import { ENCRYPTED, encryptFile } from './encryption.ts';
import { type MadeBackup, readBackupMark } from './make-backup.ts';
import { openStore } from './stores/open-store.ts';
import type { BackupStore, StoredFile } from './stores/store.ts';
import { tryRestore } from './trial-restore.ts';

const LOOK_SECONDS = 60;
const MINUTE_MS = 60_000;
/** The time for sending a backup and reading it back, and again for a test restore. */
const DEADLINE_MS = 60 * MINUTE_MS;
const MOST_SAID = 500;
const TRIAL_EVERY_DAYS = 7;
/** The memory that a test restore of a small database takes, with some to spare. */
const TRIAL_BYTES = 300_000_000;
const NO_MEMORY = 'no test restore, because less than 300 MB of memory are available';
/** Backups in a row that did not arrive before administrators are notified. */
const MISSES_SAID = 2;
const STATE = 'backup_copies';
/** The folder in BACKUP_DIR for an encrypted backup while it is sent. */
const ENCRYPTED_FOLDER = '.sending';

/** The state of the copies of backups. Times are in seconds since 1970, 0 for never. */
export interface CopyState {
  /** The last backup that was tried. */
  tried: string | null;
  sent_at: number;
  /** Time when the copy was read back and compared; 0 if a command makes the copies, because it only sends them. */
  read_back_at: number;
  restored_at: number;
  /** Backups in a row that did not arrive, or could not be restored. */
  missed: number;
  problem: string | null;
}

const NOTHING_YET: CopyState = {
  tried: null,
  sent_at: 0,
  read_back_at: 0,
  restored_at: 0,
  missed: 0,
  problem: null,
};

export async function readCopyState(db: Db): Promise<CopyState> {
  const kept = (await readKept(db, STATE)) as Partial<CopyState> | undefined;
  return { ...NOTHING_YET, ...kept };
}

const writeCopyState = (db: Db, state: CopyState) => writeKept(db, STATE, state);

/** The place to which copies go, without user and secret. */
export function placeOfCopies(copies: CopyConfig): string {
  if (copies.kind === 'command') return copies.command[0] ?? '';
  if (copies.kind === 's3') return copies.url;
  return `sftp://${copies.host}:${copies.port}/${copies.folder}`;
}

async function sumOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** Sends a file, and reads the whole copy back. A copy that differs from the file is removed from the store. */
async function copyTo(place: BackupStore, file: StoredFile): Promise<void> {
  try {
    await place.put(file);
    const sha256 = await sumOf(await place.get(file.name));
    if (sha256 === file.sha256) return;
    throw new Error(
      `${file.name} was read back and differs from what was sent: its SHA-256 is ${sha256} instead of ${file.sha256}`,
    );
  } catch (error) {
    await place.remove(file.name).catch(() => {});
    throw error;
  }
}

/** Removes old copies of this database from the store. A store that permits no removal keeps them all. */
async function removeOld(
  { db, log }: Services,
  place: BackupStore,
  keep: number,
  sent: string,
): Promise<void> {
  try {
    const { removed } = oldBackups(await place.list(), await readBackupMark(db), keep, sent);
    for (const name of removed) await place.remove(name);
    if (removed.length > 0) log.info({ removed }, 'old copies of backups were removed');
  } catch (error) {
    log.error({ err: error }, `old copies of backups could not be removed: ${errorMessage(error)}`);
  }
}

interface Sending {
  backups: BackupConfig;
  copies: CopyConfig;
  backup: MadeBackup;
  signal: AbortSignal;
}

/** Sends a backup, encrypted if there is a key for it. Returns whether it was read back. */
async function send(
  services: Services,
  { backups, copies, backup, signal }: Sending,
): Promise<boolean> {
  const { recipient, dir, keep } = backups;
  const made = join(dir, backup.file);
  const room = join(dir, ENCRYPTED_FOLDER);
  const path = recipient ? join(room, backup.file + ENCRYPTED) : made;
  try {
    if (recipient) {
      await mkdir(room, { recursive: true, mode: 0o700 });
      await encryptFile(made, path, recipient, signal);
    }
    if (copies.kind === 'command') {
      const [program = '', ...args] = copies.command;
      const output = await runProgram(program, { args: [...args, path], signal });
      services.log.info({ output }, 'BACKUP_COMMAND has ended');
      return false;
    }
    const { sha256 } = recipient ? await measure(path) : backup;
    const place = await openStore(copies, signal);
    try {
      await copyTo(place, { name: basename(path), path, sha256 });
      await removeOld(services, place, keep, basename(path));
    } finally {
      place.close();
    }
    return true;
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

async function readNewest(db: Db): Promise<MadeBackup | undefined> {
  const { rows } = await sql<MadeBackup>`select file, bytes, sha256 from backup_runs
    where state = 'made' order by due_at desc limit 1`.execute(db);
  return rows[0];
}

const now = () => Math.floor(Date.now() / 1000);
const DAY_SECONDS = 86_400;
/** A test restore in the future, by a wrong clock, counts as none. */
const isTrialDue = ({ restored_at }: CopyState) =>
  restored_at > now() || restored_at <= now() - TRIAL_EVERY_DAYS * DAY_SECONDS;

async function recordMiss(
  { db, log }: Services,
  copies: CopyConfig,
  state: CopyState,
  error: unknown,
): Promise<void> {
  const problem = errorMessage(error).slice(0, MOST_SAID);
  const missed = state.missed + 1;
  log.error({ err: error }, `the copy of a backup failed: ${problem}`);
  await transact(db, async (tx) => {
    await writeCopyState(tx, { ...state, missed, problem });
    if (missed !== MISSES_SAID) return;
    await notifyAdministrators(tx, {
      event: 'backup_not_copied',
      facts: { place: placeOfCopies(copies), problem },
      link: '/settings#backups',
    });
  });
}

/**
 * Sends the newest backup if it was not tried yet, and restores it as a test once a week. If this fails, the next
 * backup is tried. If the process ends before it was sent, the same one is tried again.
 */
export async function sendNewest(
  services: Services,
  stopping: AbortSignal,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const { config, db, log } = services;
  const { backups } = config;
  const before = await readCopyState(db);
  const backup = await readNewest(db);
  if (!backups?.copies || !backup || backup.file === before.tried) return;
  const { copies, dir } = backups;
  const state = { ...before, tried: backup.file };
  const withDeadline = async <T>(
    what: string,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const late = AbortSignal.timeout(deadlineMs);
    return work(AbortSignal.any([stopping, late])).catch((error: unknown) => {
      stopping.throwIfAborted();
      const reason = late.aborted
        ? `not finished within ${deadlineMs / MINUTE_MS} minutes`
        : errorMessage(error);
      throw new Error(`${what}: ${reason}`, { cause: error });
    });
  };
  try {
    const isReadBack = await withDeadline('not sent', (signal) =>
      send(services, { backups, copies, backup, signal }),
    );
    Object.assign(state, { sent_at: now(), read_back_at: isReadBack ? now() : 0 });
    log.info({ file: backup.file, to: placeOfCopies(copies) }, 'a backup was copied');
    const lacksMemory = process.availableMemory() < TRIAL_BYTES;
    if (isTrialDue(state) && !lacksMemory) {
      // If the process ends during the trial, the next one is made with the next backup.
      await writeCopyState(db, state);
      await withDeadline('the test restore failed', (signal) =>
        tryRestore(services, join(dir, backup.file), backup.bytes, signal),
      );
      state.restored_at = now();
      log.info({ file: backup.file }, 'a backup was restored as a test');
    }
    const problem = isTrialDue(state) ? NO_MEMORY : null;
    if (problem) log.warn(problem);
    await writeCopyState(db, { ...state, missed: 0, problem });
  } catch (error) {
    stopping.throwIfAborted();
    await recordMiss(services, copies, state, error);
  }
}

/**
 * The job that sends backups to the place in the settings; an empty list if they stay. If there are several panels, one
 * of them sends each backup.
 */
export function copiesOfBackups(services: Services): ScheduledJob[] {
  if (!services.config.backups?.copies) return [];
  const run: ScheduledJob['run'] = ({ stopping }) => sendNewest(services, stopping);
  return [{ name: 'copy backups', when: every(LOOK_SECONDS), run }];
}

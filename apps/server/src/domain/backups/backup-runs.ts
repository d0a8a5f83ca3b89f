import { sql } from 'kysely';
import { type Db, transact } from '../../db/transaction.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';
import { panelOrigin, writeAudit } from '../audit/audit.ts';
import { notifyAdministrators } from '../notices/notify.ts';
import type { MadeBackup } from './make-backup.ts';

const KEPT_DAYS = 30;

const subject = { subject_type: 'panel', subject_id: 'database' } as const;

export async function isMade(db: Db, dueAt: string): Promise<boolean> {
  const { rows } = await sql`
    select from backup_runs where due_at = ${dueAt}::timestamptz and state = 'made'`.execute(db);
  return rows.length > 0;
}

/** Rows of old runs go, too, except the last one that was made. */
export async function recordMade(db: Db, dueAt: string, made: MadeBackup): Promise<void> {
  const { file, bytes, sha256 } = made;
  await transact(db, async (tx) => {
    await sql`
      insert into backup_runs (due_at, state, file, bytes, sha256)
        values (${dueAt}, 'made', ${file}, ${bytes}, ${sha256})
        on conflict (due_at) do update set state = excluded.state, file = excluded.file,
          bytes = excluded.bytes, sha256 = excluded.sha256, finished_at = clock_timestamp()`.execute(
      tx,
    );
    await sql`delete from backup_runs
      where finished_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(tx);
    await writeAudit(tx, panelOrigin, [{ action: 'backup.made', ...subject, data: { ...made } }]);
  });
}

/**
 * The audit log tells the first failure of each backup that was due; administrators hear of the first
 * one since the last that was made.
 */
export async function recordFailure(
  db: Db,
  dueAt: string,
  folder: string,
  error: unknown,
): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<{ is_first: boolean }>`
      insert into backup_runs (due_at, state, failed_at)
        values (${dueAt}, 'failed', clock_timestamp())
        on conflict (due_at) do update set failed_at = excluded.failed_at,
          finished_at = excluded.finished_at where backup_runs.state = 'failed'
        returning xmax = 0 as is_first`.execute(tx);
    if (!rows[0]?.is_first) return;
    await writeAudit(tx, panelOrigin, [
      { action: 'backup.failed', ...subject, data: { folder, reason: errorMessage(error) } },
    ]);
    const { last_made } = await readBackupState(tx);
    await notifyAdministrators(tx, {
      event: 'backup_failed',
      facts: { folder },
      link: '/audit?action=backup.failed',
      said_once: `backup_failed:${last_made}`,
    });
  });
}

/** Moments in seconds since 1970; 0 if there was none. */
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

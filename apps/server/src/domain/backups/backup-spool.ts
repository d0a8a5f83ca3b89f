import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGzip, type Gzip } from 'node:zlib';
import { writeBackup } from '../../db/backup/write-backup.ts';
import { type AuditOrigin, writeAudit } from '../audit/audit.ts';
import type { Services } from '../context/context.ts';

const UNFINISHED = /^backup-[0-9a-f-]{36}\.part$/;

/**
 * Writes a backup to the data folder and returns a stream of it. Streaming directly from the
 * database would block it for the time of compression and of a slow client. The file is deleted
 * when the stream ends.
 */
export async function spoolBackup(
  { config, db, log, stopping }: Services,
  origin: AuditOrigin,
  gone: AbortSignal,
): Promise<Gzip> {
  await writeAudit(db, origin, [
    { action: 'panel.backed_up', subject_type: 'panel', subject_id: 'database' },
  ]);
  const path = join(resolve(config.data_dir), `backup-${randomUUID()}.part`);
  try {
    const signal = AbortSignal.any([gone, stopping.signal]);
    await writeBackup(db, path, { packed: false, signal });
    const packed = createGzip();
    pipeline(createReadStream('', { fd: await open(path) }), packed, (error) => {
      if (error) log.error({ err: error }, 'sending a backup failed');
    });
    return packed;
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes backups left by a process that was killed. */
export async function removeUnfinishedBackups(dataDir: string): Promise<void> {
  const folder = resolve(dataDir);
  const names = (await readdir(folder)).filter((name) => UNFINISHED.test(name));
  for (const name of names) await rm(join(folder, name), { force: true });
}

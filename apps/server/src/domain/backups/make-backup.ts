import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { readBackup } from '../../db/backup/read-backup.ts';
import { writeBackup } from '../../db/backup/write-backup.ts';
import type { Db } from '../../db/transaction.ts';
import type { BackupConfig } from '../../platform/config/config.ts';
import { keptOrMade } from '../../platform/settings.ts';
import { type AuditOrigin, auditPanel } from '../audit/audit.ts';
import type { Services } from '../context/context.ts';
import {
  aboutPath,
  backupName,
  measure,
  partOf,
  prepareFolder,
  putInPlace,
  removeForgottenParts,
  removeParts,
  rowsPartOf,
} from './backup-files.ts';

export interface MadeBackup {
  file: string;
  bytes: number;
  sha256: string;
}

type BackupServices = Pick<Services, 'connection' | 'db'>;

const MARK = 'backup_mark';

/**
 * The mark in the names of scheduled backups of this database, so that two databases with one
 * folder do not touch each other's files.
 */
export const readBackupMark = (db: Db): Promise<string> =>
  keptOrMade(db, MARK, () => randomBytes(4).toString('hex'));

/**
 * Writes the database to a new file in the folder. The file gets its name only after it was read back whole and its
 * checksums were right; a failed one leaves nothing behind.
 */
export async function makeBackup(
  services: BackupServices,
  { dir }: BackupConfig,
  signal: AbortSignal,
): Promise<MadeBackup> {
  const mark = await readBackupMark(services.db);
  const name = backupName(new Date(), mark);
  const file = join(dir, name);
  const part = partOf(file);
  try {
    await prepareFolder(dir);
    await removeParts(dir, mark);
    await removeForgottenParts(dir);
    await writePart(services, file, signal);
    await readBackup(part, async () => signal.throwIfAborted());
    const measured = await measure(part);
    await putInPlace(part, file);
    return { file: name, ...measured };
  } catch (error) {
    throw aboutPath(file, error);
  } finally {
    // Parts that cannot be removed now, for example because the disk is away, are removed by the next run.
    const left = [part, rowsPartOf(file)];
    await Promise.allSettled(left.map((path) => rm(path, { force: true })));
  }
}

/**
 * Writes the unfinished file. On the embedded database, rows are packed after all were read, because requests wait for
 * the reading.
 */
async function writePart(
  { connection, db }: BackupServices,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const part = partOf(file);
  if (connection.kind === 'postgres') return writeBackup(db, part, { packed: true, signal });
  const rows = rowsPartOf(file);
  await writeBackup(db, rows, { packed: false, signal });
  const output = createWriteStream(part, { mode: 0o600, flush: true });
  await pipeline([createReadStream(rows), createGzip(), output], { signal });
}

const UNFINISHED = /^backup-[0-9a-f-]{36}\.part$/;

/**
 * Writes a backup to the data folder and returns a stream of it. Streaming directly from the database would block it
 * during compression, and for as long as a slow client takes. The file is deleted when the stream ends.
 */
export async function spoolBackup(
  { config, db, log, stopping }: Services,
  origin: AuditOrigin,
  gone: AbortSignal,
): Promise<Gzip> {
  await auditPanel(db, origin, 'panel.backed_up');
  const path = join(resolve(config.data_dir), `backup-${randomUUID()}.part`);
  try {
    const signal = AbortSignal.any([gone, stopping.signal]);
    await writeBackup(db, path, { packed: false, signal });
    const packed = createGzip();
    pipeline(createReadStream('', { fd: await open(path) }), packed).catch((error: unknown) => {
      log.error({ err: error }, 'a backup could not be sent');
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

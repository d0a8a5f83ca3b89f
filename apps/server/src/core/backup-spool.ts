import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGzip, type Gzip } from 'node:zlib';
import { writeBackup } from '../db/backup/write-backup.ts';
import { audit } from './audit.ts';
import type { Services } from './context.ts';

const UNFINISHED = /^backup-[0-9a-f-]{36}\.part$/;

/**
 * Makes a backup in the data folder and returns what to send. It is neither packed nor sent straight
 * from the database: everybody would wait for the packing and for a slow reader. The file is gone
 * with its reader.
 */
export async function spoolBackup(
  { config, db, log, stopping }: Services,
  actorId: string,
  gone: AbortSignal,
): Promise<Gzip> {
  await audit(db, {
    actor_id: actorId,
    action: 'panel.backed_up',
    subject_type: 'panel',
    subject_id: 'database',
  });
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

/** What a process that was killed has left behind. */
export async function removeUnfinishedBackups(dataDir: string): Promise<void> {
  const folder = resolve(dataDir);
  const names = (await readdir(folder)).filter((name) => UNFINISHED.test(name));
  for (const name of names) await rm(join(folder, name), { force: true });
}

// `npm run backup -- [folder or file.lkb.gz]`: writes the whole database to a file, also while a panel
// runs. The file is read back and checked before it gets its name.
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { BACKUP_PATH } from '@linekeeper/contract/backup.ts';
import { makeFolder } from '@linekeeper/data-folder/make-folder.ts';
import { isRelease } from '../../../../scripts/commands.mjs';
import type { Summary } from '../db/backup/file-format.ts';
import { readBackup } from '../db/backup/read-backup.ts';
import { writeBackup } from '../db/backup/write-backup.ts';
import type { Connection } from '../db/connect.ts';
import { hasSchema } from '../db/migrate.ts';
import {
  aboutPath,
  backupName,
  ownPartOf,
  putInNewPlace,
  refuseExisting,
  removeForgottenParts,
} from '../domain/backups/backup-files.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { openPresentDatabase } from './open-database.ts';
import { backUpThroughSocket } from './operator-socket.ts';
import { isPanelNamed, withRunningPanel } from './panel-client.ts';
import { runCommand, say } from './run-command.ts';

const FOLDER = isRelease ? '/var/backups/linekeeper' : 'backups';

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/**
 * The path of the backup file. A given name that ends with .lkb.gz is a file's; any other name is a folder's, in which
 * the file is named by the time.
 */
function target(given: string | undefined, { backup_dir }: Config): string {
  const path = given ?? backup_dir ?? FOLDER;
  if (path.endsWith('.lkb.gz') && !isFolder(path)) return resolve(path);
  if (existsSync(path) && !isFolder(path)) {
    throw new Error(
      `${resolve(path)} is a file: give a folder, or a new file whose name ends with .lkb.gz`,
    );
  }
  return resolve(path, backupName(new Date()));
}

async function writeTo(file: string, config: Config): Promise<void> {
  // The file is opened before the database: while that is open, root has only its owner's rights,
  // which may not suffice here.
  const fd = openSync(file, 'w', 0o600);
  const connection = await openPresentDatabase(config).catch((error: unknown) => {
    closeSync(fd);
    throw error;
  });
  if (connection) return readInto(file, fd, connection).finally(() => connection.close());
  closeSync(fd);
  if (isPanelNamed()) return withRunningPanel(config, (panel) => panel.download(BACKUP_PATH, file));
  await backUpThroughSocket(resolve(config.data_dir), file);
}

async function readInto(file: string, fd: number, { db }: Connection): Promise<void> {
  if (!(await hasSchema(db))) throw new Error('No panel has been started on this database yet');
  await writeBackup(db, file, { packed: true, fd });
}

/** Deletes the unfinished file if the process is interrupted. */
function removeWhenInterrupted(part: string): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      rmSync(part, { force: true });
      process.exit(128 + constants.signals[signal]);
    });
  }
}

function report(file: string, { foot }: Summary) {
  const bytes = statSync(file).size;
  const size = (bytes / 1_000_000).toFixed(1);
  say(`${file}`);
  say(`${foot.rows} rows of ${foot.tables} tables, ${size} MB, read back and checked`);
  say(`SHA-256 of the content: ${foot.sha256}`);
  say(
    'The backup does not contain the key: keep SECRET_KEY (with the embedded database, secret.key) in another safe ' +
      'place. Without it, no password in this backup can be decrypted.',
  );
  const { rows, tables, sha256 } = foot;
  return { file, bytes, rows, tables, sha256 };
}

async function backUp(file: string, config: Config): Promise<Summary> {
  const part = ownPartOf(file);
  try {
    makeFolder(dirname(file));
    await removeForgottenParts(dirname(file));
    removeWhenInterrupted(part);
    await writeTo(part, config);
    const summary = await readBackup(part);
    await putInNewPlace(part, file);
    return summary;
  } catch (error) {
    throw aboutPath(file, error);
  } finally {
    // Why the backup failed matters more than why its remains could not be removed.
    await rm(part, { force: true }).catch(() => {});
  }
}

await runCommand('backup', async ({ positionals }) => {
  const config = readConfig(process.env);
  const file = target(positionals[0], config);
  refuseExisting(file);
  return report(file, await backUp(file, config));
});

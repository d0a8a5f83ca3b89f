// `npm run backup -- [file]`: writes the whole database to a file, also while a panel runs. The
// file is read back and checked before it gets its name.
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BACKUP_PATH } from '@linekeeper/contract/backup.ts';
import { type Config, readConfig } from './core/config.ts';
import type { Summary } from './db/backup/file-format.ts';
import { readBackup } from './db/backup/read-backup.ts';
import { hasSchema, writeBackup } from './db/backup/write-backup.ts';
import type { Connection } from './db/connect.ts';
import { hasDatabase } from './db/embedded/integrity.ts';
import { openDatabase } from './open-database.ts';
import { withRunningPanel } from './panel-client.ts';
import { runCommand, say } from './run-command.ts';

const FOLDER = 'backups';

/** The file to write; in a folder its name is the current time. */
function target(given: string | undefined): string {
  const moment = new Date().toISOString().replace(/\..*/, '').replaceAll(':', '').replace('T', '-');
  const name = `linekeeper-${moment}.lkb.gz`;
  if (given === undefined) return resolve(FOLDER, name);
  const isFolder = given.endsWith('/') || (existsSync(given) && statSync(given).isDirectory());
  return isFolder ? resolve(given, name) : resolve(given);
}

async function writeTo(file: string, config: Config): Promise<void> {
  const { database_url, data_dir } = config;
  if (!database_url && process.env.PANEL_URL) return download(file, config);
  if (!database_url && !hasDatabase(resolve(data_dir))) {
    throw new Error(`There is no database in ${resolve(data_dir)}`);
  }
  // Opened before the database: while that is open, root has only its owner's rights, which may not
  // suffice here.
  const fd = openSync(file, 'w', 0o600);
  const connection = await openDatabase(config).catch((error: unknown) => {
    closeSync(fd);
    throw error;
  });
  if (connection) return readInto(file, fd, connection).finally(() => connection.close());
  closeSync(fd);
  await download(file, config);
}

async function readInto(file: string, fd: number, { db }: Connection): Promise<void> {
  if (!(await hasSchema(db))) throw new Error('No panel has been started on this database yet');
  await writeBackup(db, file, { packed: true, fd });
}

function download(file: string, config: Config): Promise<void> {
  return withRunningPanel(config, (panel) => panel.download(BACKUP_PATH, file));
}

/** Renames the file and syncs its folder, so that the name survives a power failure. */
async function putInPlace(unfinished: string, file: string): Promise<void> {
  await rename(unfinished, file);
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
}

function report(file: string, { foot }: Summary): void {
  const size = (statSync(file).size / 1_000_000).toFixed(1);
  say(`${file}`);
  say(`${foot.rows} rows of ${foot.tables} tables, ${size} MB, read back and checked`);
  say(`SHA-256 of its content: ${foot.sha256}`);
  say(
    'The key is not in it: keep SECRET_KEY (on the embedded database: secret.key) in another safe ' +
      'place. Without it no password in this backup can be read.',
  );
}

await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const config = readConfig(process.env);
  const file = target(positionals[0]);
  if (existsSync(file)) throw new Error(`${file} exists already and was not changed`);
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.part`;
  try {
    await writeTo(unfinished, config);
    const summary = await readBackup(unfinished);
    await putInPlace(unfinished, file);
    report(file, summary);
  } finally {
    await rm(unfinished, { force: true });
  }
});

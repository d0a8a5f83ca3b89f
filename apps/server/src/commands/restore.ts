// `npm run restore -- <file>`: restores a backup, which may be in the store of the settings or encrypted, into an empty
// database, or replaces the content of one. One transaction, on the embedded database and on PostgreSQL.
import { createWriteStream, existsSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '@linekeeper/data-folder/make-folder.ts';
import { callOf } from '../../../../scripts/commands.mjs';
import type { Summary } from '../db/backup/file-format.ts';
import { readBackup } from '../db/backup/read-backup.ts';
import { restoreBackup } from '../db/backup/restore-backup.ts';
import type { Connection } from '../db/connect.ts';
import { partOf, putInNewPlace } from '../domain/backups/backup-files.ts';
import { decryptFile } from '../domain/backups/encryption.ts';
import { openStore } from '../domain/backups/stores/open-store.ts';
import type { BackupStore } from '../domain/backups/stores/store.ts';
import { deliverEverything } from '../domain/delivery/settle.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { KEY_CHECK_NAME, opensKeyCheck } from '../platform/keys/key-check.ts';
import { configuredKey } from '../platform/keys/key-file.ts';
import { createSecrets } from '../platform/keys/secrets.ts';
import { withStoppedPanel } from './open-database.ts';
import { type Given, runCommand, say } from './run-command.ts';

interface Checked {
  summary: Summary;
  /** The encrypted text that identifies the backup's key; null if no panel had run on its database. */
  keyCheck: string | null;
}

async function check(file: string): Promise<Checked> {
  let keyCheck: string | null = null;
  const summary = await readBackup(file, async ({ table, columns }, rows) => {
    if (table !== 'settings') return;
    const [key, value] = [columns.indexOf('key'), columns.indexOf('value')];
    const row = rows.map((text) => JSON.parse(text)).find((row) => row[key] === KEY_CHECK_NAME);
    if (row) keyCheck = JSON.parse(row[value]);
  });
  return { summary, keyCheck };
}

/** Throws if a key is present that is not the backup's. Returns true if there is none. */
function lacksKey(config: Config, keyCheck: string | null): boolean {
  const key = configuredKey(config);
  if (keyCheck === null) return false;
  if (key === null) return true;
  if (opensKeyCheck(createSecrets(key), keyCheck)) return false;
  const [where, what] = config.secret_key
    ? ['given SECRET_KEY', 'Set SECRET_KEY to the key of the panel that made the backup']
    : [
        `secret.key in ${resolve(config.data_dir)}`,
        'Put the key of the backup there first. Rotated keys are kept as secret.key.until-…',
      ];
  throw new Error(
    `This backup was made with a different key from the ${where}, so no password in it could be decrypted. ` +
      `Nothing was changed. ${what}`,
  );
}

function report(config: Config, { foot, head }: Summary, isKeyMissing: boolean): void {
  say(`Restored ${foot.rows} rows of ${foot.tables} tables as they were at ${head.created_at}`);
  say(
    'Every table was read back, and its checksum matches the backup. Everyone has to sign in again.',
  );
  if (!isKeyMissing) return;
  say(
    `The key is missing: before the panel starts, put the secret.key of this backup into ` +
      `${resolve(config.data_dir)}, or set SECRET_KEY. With another key the panel will not start.`,
  );
}

/** Opens the store of the settings. */
function openStoreOf({ backups }: Config): Promise<BackupStore> {
  const copies = backups?.copies;
  if (!copies || copies.kind === 'command')
    throw new Error(
      'Set BACKUP_SCHEDULE, BACKUP_DIR and BACKUP_STORE as on the panel that made the backups',
    );
  return openStore(copies, new AbortController().signal);
}

/** Fetches a backup from the store of the settings into BACKUP_DIR. Returns the path of the file. */
async function fetchBackup(config: Config, name: string): Promise<string> {
  const store = await openStoreOf(config);
  try {
    const dir = config.backups?.dir ?? '';
    const file = join(dir, basename(name));
    if (existsSync(file)) return file;
    makeFolder(dir);
    const part = partOf(file);
    await pipeline(
      await store.get(basename(name)),
      createWriteStream(part, { mode: 0o600, flush: true }),
    );
    await putInNewPlace(part, file);
    say(`Fetched ${file}`);
    return file;
  } finally {
    store.close();
  }
}

/** Prints the names of the backups in the store of the settings. */
async function listStore(config: Config): Promise<string[]> {
  const store = await openStoreOf(config);
  try {
    const names = (await store.list()).filter((name) => !name.endsWith('.part'));
    for (const name of names) say(name);
    return names;
  } finally {
    store.close();
  }
}

const NOTHING_RESTORED = {
  ...{ created_at: null, rows: null, tables: null, key_missing: null, pushed: null },
  stored: null as string[] | null,
};

async function restore(config: Config, file: string, { values }: Given) {
  const { summary, keyCheck } = await check(file);
  const isKeyMissing = lacksKey(config, keyCheck);
  // The file is opened before the database: while that is open, root has only its owner's rights,
  // which may not suffice here.
  const fd = openSync(file, 'r');
  const replace = async (connection: Connection) => {
    await restoreBackup(connection, file, summary, { replace: values.replace === true, fd });
    const pushed = values['push-all'] ? await deliverEverything(connection.db) : null;
    report(config, summary, isKeyMissing);
    if (pushed !== null) say(`${pushed} lines will be written to their card servers again`);
    const { rows, tables } = summary.foot;
    const { created_at } = summary.head;
    const restored = { created_at, rows, tables, key_missing: isKeyMissing, pushed };
    return { ...NOTHING_RESTORED, ...restored };
  };
  return withStoppedPanel(config, replace, { isRestore: true });
}

await runCommand('restore', async (given) => {
  const { values, positionals } = given;
  const [named] = positionals;
  const config = readConfig(process.env);
  const isStored = values['from-store'] === true;
  if (!named && isStored) return { ...NOTHING_RESTORED, stored: await listStore(config) };
  if (!named) throw new Error(`Give the file: ${callOf('restore', '<file>')}`);
  const file = isStored ? await fetchBackup(config, named) : named;
  if (!existsSync(file)) throw new Error(`There is no file ${resolve(file)}`);
  const { identity } = values;
  if (typeof identity !== 'string') return restore(config, file, given);
  const plain = partOf(file);
  try {
    await decryptFile(file, plain, identity);
    return await restore(config, plain, given);
  } finally {
    await rm(plain, { force: true });
  }
});

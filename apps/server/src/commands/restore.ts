// `npm run restore -- <file> [--replace] [--push-all]`: restores a backup into an empty database,
// or replaces the content of one. One transaction, on the embedded database and on PostgreSQL.
import { existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Summary } from '../db/backup/file-format.ts';
import { readBackup } from '../db/backup/read-backup.ts';
import { restoreBackup } from '../db/backup/restore-backup.ts';
import type { Connection } from '../db/connect.ts';
import { deliverEverything } from '../domain/delivery/settle.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { KEY_CHECK_NAME, opensKeyCheck } from '../platform/keys/key-check.ts';
import { createSecrets } from '../platform/keys/secrets.ts';
import { configuredKey, withStoppedPanel } from './open-database.ts';
import { runCommand, say } from './run-command.ts';

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
    `THE KEY IS MISSING: before the panel starts, put the secret.key of this backup into ` +
      `${resolve(config.data_dir)}, or set SECRET_KEY. With another key the panel will not start.`,
  );
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      'push-all': { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  if (!file) throw new Error('Usage: npm run restore -- <file> [--replace] [--push-all]');
  if (!existsSync(file)) throw new Error(`There is no file ${resolve(file)}`);
  const config = readConfig(process.env);
  const { summary, keyCheck } = await check(file);
  const isKeyMissing = lacksKey(config, keyCheck);
  // The file is opened before the database: while that is open, root has only its owner's rights,
  // which may not suffice here.
  const fd = openSync(file, 'r');
  const replace = async (connection: Connection) => {
    await restoreBackup(connection, file, summary, { replace: values.replace, fd });
    const pushed = values['push-all'] ? await deliverEverything(connection.db) : null;
    report(config, summary, isKeyMissing);
    if (pushed !== null) say(`${pushed} lines will be written to their card servers again`);
  };
  await withStoppedPanel(config, replace, { isRestore: true });
});

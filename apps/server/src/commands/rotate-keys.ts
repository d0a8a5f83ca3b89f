// `npm run keys:rotate [-- folder]`: encrypts everything with a new key. No panel may run. The new
// key is on disk before the first row is encrypted with it; after an interruption the next run
// continues with that key.

import { join, resolve } from 'node:path';
import { callOf } from '../../../../scripts/commands.mjs';
import type { Connection } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { refuseOtherPrograms } from '../db/postgres/other-programs.ts';
import { transact } from '../db/transaction.ts';
import { auditPanel, panelOrigin } from '../domain/audit/audit.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { errorMessage } from '../platform/errors/error-message.ts';
import { checkSecretKey, opensKeyCheck, readKeyCheck } from '../platform/keys/key-check.ts';
import {
  completeRotation,
  keepNextKey,
  keptKeys,
  readNextKey,
  readSecretKey,
  settleNextKey,
} from '../platform/keys/key-file.ts';
import { createSecrets, newSecretKey } from '../platform/keys/secrets.ts';
import { refuseMissingDatabase, withStoppedPanel } from './open-database.ts';
import { runCommand, say } from './run-command.ts';
import { allSealedValues } from './sealed-values.ts';

/**
 * Encrypts everything with the next key in one transaction and verifies the result before the commit. All sessions end,
 * because their cookies are signed with the old key. The new key is stored on disk after all checks and before the first
 * row is encrypted with it. Two valid keys would be simpler, but a leaked one could still read the older rows.
 */
async function rotate({ db, kind }: Connection, folder: string, presentKey: string): Promise<void> {
  const chosen = nextKey(folder, presentKey);
  const [present, next] = [createSecrets(presentKey), createSecrets(chosen)];
  const rotated = await transact(db, async (tx) => {
    await refuseOtherPrograms(tx, kind);
    await checkSecretKey(tx, present);
    keep(folder, chosen);
    const lines: string[] = [];
    for (const { name, reseal, verify } of allSealedValues) {
      const count = await reseal(tx, present, next);
      const verified = await verify(tx, present, next);
      if (verified !== count) throw new Error(`Not all ${name} were re-encrypted with the new key`);
      lines.push(`${name}: ${count} converted to the new key`);
    }
    await tx.deleteFrom('auth_sessions').execute();
    await auditPanel(tx, panelOrigin, 'panel.key_rotated');
    return lines;
  });
  for (const line of rotated) say(line);
  say(
    'Everyone has to sign in again. Older backups need the old key: keep it as long as you keep them.',
  );
}

const SHORTEST_KEY = 32;

/** The new key in the operator's environment; null if there is none. Throws for a key that could not be stored. */
function givenKey(): string | null {
  const key = process.env.NEW_SECRET_KEY || null;
  if (key !== null && key.length < SHORTEST_KEY) {
    throw new Error(`NEW_SECRET_KEY must be at least ${SHORTEST_KEY} characters`);
  }
  // The key is stored as one line of a file and must be read back unchanged.
  if (key !== null && (key.trim() !== key || key.includes('\n'))) {
    throw new Error('NEW_SECRET_KEY must be one line, without spaces around it');
  }
  return key;
}

/** The key of an interrupted rotation; otherwise the given one, or a new one. */
function nextKey(folder: string, present: string): string {
  const [given, begun] = [givenKey(), readNextKey(folder)];
  const file = join(folder, 'secret.key.new');
  if (begun !== null && begun.length < SHORTEST_KEY) throw new Error(`There is no key in ${file}`);
  if (begun !== null && given !== null && begun !== given) {
    throw new Error(
      `A rotation was interrupted, and its key in ${file} differs from NEW_SECRET_KEY. Run this command ` +
        'without NEW_SECRET_KEY to continue. Nothing was changed.',
    );
  }
  if (begun !== null) say(`Continuing an interrupted rotation with the key in ${file}`);
  const next = begun ?? given ?? newSecretKey();
  if (next === present)
    throw new Error('The new key is the same as the current one. Nothing was changed.');
  return next;
}

/** Stores the key; throws if that fails, because then no row may be encrypted with it. */
function keep(folder: string, key: string): void {
  try {
    keepNextKey(folder, key);
  } catch (error) {
    throw new Error(
      `The new key cannot be written to ${folder} (${errorMessage(error)}). Nothing was changed. With ` +
        'DATABASE_URL you can name another folder: ' +
        callOf('rotate-keys', '<folder>'),
    );
  }
}

function sayWhatToChange(where: string) {
  say(`The new key is in ${where}`);
  say(
    'Now set SECRET_KEY to it for every panel, in .env or in the file that has your settings, and start the panels. ' +
      'Then keep a copy on another machine: without it, the passwords can no longer be decrypted.',
  );
  return { file: where };
}

/** Rotates a key from the settings, which only the operator can change. */
async function rotateGivenKey(connection: Connection, folder: string, present: string) {
  const sealed = await readKeyCheck(connection.db);
  const opens = (key: string | null) =>
    key !== null && sealed !== null && opensKeyCheck(createSecrets(key), sealed);
  if (sealed === null || opens(present)) {
    await rotate(connection, folder, present);
    return sayWhatToChange(settleNextKey(folder));
  }
  const kept = keptKeys(folder).find(({ key }) => opens(key));
  // Throws if the present key is neither the database's nor the previous one.
  if (!kept && !opens(givenKey())) await checkSecretKey(connection.db, createSecrets(present));
  say('This database has already been encrypted with another key. Nothing was changed.');
  if (!kept) return sayWhatToChange('NEW_SECRET_KEY');
  return sayWhatToChange(kept.key === readNextKey(folder) ? settleNextKey(folder) : kept.file);
}

/** Rotates the embedded database's own key and replaces it in secret.key. */
async function rotateKeptKey(connection: Connection, folder: string) {
  let completed = await completeRotation(connection.db, folder);
  if (completed) {
    say('The interrupted rotation is complete');
  } else {
    const present = readSecretKey(folder);
    if (present === null) {
      throw new Error(`There is no secret.key in ${folder}: put the database's key there first`);
    }
    await rotate(connection, folder, present);
    completed = await completeRotation(connection.db, folder);
  }
  const before = completed?.kept ? `; the old key is kept in ${completed.kept}` : '';
  const file = join(folder, 'secret.key');
  say(`The new key is in ${file}${before}`);
  return { file };
}

async function rotateWhereItIs(config: Config, connection: Connection, given: string | undefined) {
  await migrate(connection.db);
  const { secret_key, database_url, data_dir } = config;
  if (given !== undefined && !database_url) {
    throw new Error("Do not give a folder: the embedded database's key stays in its folder");
  }
  // With PostgreSQL the key is stored in the working directory, where .env is.
  const folder = resolve(database_url ? (given ?? '.') : data_dir);
  if (secret_key) return rotateGivenKey(connection, folder, secret_key);
  return rotateKeptKey(connection, folder);
}

await runCommand('rotate-keys', async ({ positionals }) => {
  const config = readConfig(process.env);
  refuseMissingDatabase(config);
  return withStoppedPanel(config, (connection) =>
    rotateWhereItIs(config, connection, positionals[0]),
  );
});

// `npm run keys:rotate`: seals everything with a new key instead of the present one. No panel may run.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from './core/config.ts';
import { opensKeyCheck, readKeyCheck } from './core/key-check.ts';
import { finishRotation, keepNextKey, settledSecretKey } from './core/key-file.ts';
import { rotateKey } from './core/rotate-key.ts';
import { createSecrets, newSecretKey } from './core/secrets.ts';
import type { Connection } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './open-database.ts';
import { runCommand, say } from './run-command.ts';

const SHORTEST_KEY = 32;

/** null where none was given. */
function givenKey(): string | null {
  const key = process.env.NEW_SECRET_KEY || null;
  if (key !== null && key.length < SHORTEST_KEY) {
    throw new Error(`NEW_SECRET_KEY must be at least ${SHORTEST_KEY} characters`);
  }
  return key;
}

/** With a key from the settings: only the operator can put the new one there. */
async function rotateGivenKey(connection: Connection, present: string): Promise<void> {
  const next = givenKey();
  if (next === null) {
    throw new Error('Set NEW_SECRET_KEY to the new key; make one with: openssl rand -base64 32');
  }
  if (next === present) throw new Error('NEW_SECRET_KEY is the present SECRET_KEY');
  const sealed = await readKeyCheck(connection.db);
  if (sealed !== null && opensKeyCheck(createSecrets(next), sealed)) {
    say('This database has the key of NEW_SECRET_KEY already; nothing was changed');
  } else {
    await rotate(connection, present, next);
  }
  say('Now set SECRET_KEY to what NEW_SECRET_KEY is, for every panel, and start them');
}

/** The embedded database's own key: the new one takes its place in secret.key. */
async function rotateKeptKey(connection: Connection, folder: string): Promise<void> {
  const present = await settledSecretKey(connection.db, folder);
  const next = givenKey() ?? newSecretKey();
  if (next === present) throw new Error('NEW_SECRET_KEY is the present key');
  keepNextKey(folder, next);
  await rotate(connection, present, next).catch(async (error: unknown) => {
    await finishRotation(connection.db, folder);
    throw error;
  });
  const kept = await finishRotation(connection.db, folder);
  say(`The new key is in ${join(folder, 'secret.key')}; the one before is kept in ${kept}`);
}

async function rotate(connection: Connection, present: string, next: string): Promise<void> {
  for (const { name, count } of await rotateKey(connection, present, next)) {
    say(`${name}: ${count} sealed anew`);
  }
  say('Everybody signs in again. Backups made before need the key before: keep it as long as them');
}

async function rotateWhereItIs(config: Config, connection: Connection): Promise<void> {
  await migrate(connection.db);
  const { secret_key } = config;
  if (secret_key) await rotateGivenKey(connection, secret_key);
  else await rotateKeptKey(connection, resolve(config.data_dir));
}

await runCommand(async () => {
  const config = readConfig(process.env);
  const folder = resolve(config.data_dir);
  if (!config.database_url && !existsSync(join(folder, 'pgdata'))) {
    throw new Error(`There is no database in ${folder}`);
  }
  const connection = await openDatabase(config);
  if (!connection) throw new Error(`A panel is running on ${folder}. Stop it first`);
  await rotateWhereItIs(config, connection).finally(() => connection.close());
});

import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Db } from '../../db/transaction.ts';
import { opensKeyCheck, readKeyCheck, WrongSecretKey } from './key-check.ts';
import { createSecrets, newSecretKey } from './secrets.ts';

// The embedded database's key is stored in its folder, readable only by its owner.
const keyFile = (folder: string) => join(folder, 'secret.key');
/** The new key of a rotation that may be incomplete. */
const nextKeyFile = (folder: string) => join(folder, 'secret.key.new');

const readKey = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null);

export const readSecretKey = (folder: string) => readKey(keyFile(folder));

/**
 * Returns the key of the embedded database in `folder`; creates one for a new database. Throws a
 * WrongSecretKey if the database's key is missing, because a new one could be mistaken for it.
 */
export async function settledSecretKey(db: Db, folder: string): Promise<string> {
  await finishRotation(db, folder);
  const present = readSecretKey(folder);
  if (present !== null) return present;
  if ((await readKeyCheck(db)) !== null) throw new WrongSecretKey();
  const key = newSecretKey();
  writeFileSync(keyFile(folder), `${key}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}

interface KeySettings {
  secret_key: string | null;
  database_url: string | null;
  data_dir: string;
}

/** The key in the settings, or the embedded database's own; null if there is none. */
export function configuredKey({ secret_key, database_url, data_dir }: KeySettings): string | null {
  return secret_key ?? (database_url ? null : readSecretKey(resolve(data_dir)));
}

/** The new key of an interrupted rotation; null if there is none. */
export const readNextKey = (folder: string) => readKey(nextKeyFile(folder));

/**
 * Stores the new key before a rotation, so that the disk always has the key of the database's
 * content. Throws if a different key is stored already, because the database may need that one.
 */
export function keepNextKey(folder: string, key: string): void {
  const there = readNextKey(folder);
  if (there === key) return;
  if (there !== null) throw new Error(`There is a different key in ${nextKeyFile(folder)}`);
  // The key is written under another name first, because a truncated key would look like a valid one.
  const unfinished = `${nextKeyFile(folder)}.part`;
  const file = openSync(unfinished, 'w', 0o600);
  writeFileSync(file, `${key}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, nextKeyFile(folder));
  syncFolder(folder);
}

/**
 * The keys that rotations have left in the folder, the key of an interrupted one first. They are
 * needed if SECRET_KEY is in the settings, which only the operator can change.
 */
export function keptKeys(folder: string): { file: string; key: string }[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => /^secret\.key\.(new|since-\d{14}(-\d+)?)$/.test(name))
    .sort()
    .map((name) => ({ file: join(folder, name), key: readKey(join(folder, name)) ?? '' }));
}

/**
 * Ends the rotation of a key in the settings (SECRET_KEY): renames the new key's file, so that a
 * later rotation does not mistake it for an interrupted one. Returns the file's path, from which
 * the operator copies the key into the settings.
 */
export function settleNextKey(folder: string): string {
  const file = join(folder, freeName(folder, `secret.key.since-${moment()}`));
  renameSync(nextKeyFile(folder), file);
  syncFolder(folder);
  return file;
}

/**
 * Resolves an interrupted rotation at start: the new key replaces the present one if it decrypts
 * the database, and is deleted if the present one does.
 */
async function finishRotation(db: Db, folder: string): Promise<void> {
  if (readNextKey(folder) === null || (await completeRotation(db, folder))) return;
  if (await opensDatabase(db, readSecretKey(folder))) rmSync(nextKeyFile(folder));
}

/**
 * Replaces the key after a rotation if the new one decrypts the database. The old key is kept for
 * older backups, in the file named `kept`. Returns null if the key stays.
 */
export async function completeRotation(
  db: Db,
  folder: string,
): Promise<{ kept: string | null } | null> {
  const next = readNextKey(folder);
  if (next === null || !(await opensDatabase(db, next))) return null;
  return { kept: replaceKey(folder) };
}

async function opensDatabase(db: Db, key: string | null): Promise<boolean> {
  const sealed = await readKeyCheck(db);
  return key !== null && sealed !== null && opensKeyCheck(createSecrets(key), sealed);
}

const moment = () => new Date().toISOString().replace(/\D/g, '').slice(0, 14);

/**
 * An unused file name: the given one, or the same with a number if another rotation in the same second has taken it.
 */
function freeName(folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const one = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(join(folder, one))) return one;
  }
}

function replaceKey(folder: string): string | null {
  const kept = freeName(folder, `secret.key.until-${moment()}`);
  const hasKey = existsSync(keyFile(folder));
  if (hasKey) copyFileSync(keyFile(folder), join(folder, kept), constants.COPYFILE_EXCL);
  renameSync(nextKeyFile(folder), keyFile(folder));
  syncFolder(folder);
  return hasKey ? kept : null;
}

function syncFolder(folder: string): void {
  // Windows neither needs nor allows syncing a folder.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

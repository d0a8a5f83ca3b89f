import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../db/transaction.ts';
import { opensKeyCheck, readKeyCheck } from './key-check.ts';
import { createSecrets, newSecretKey } from './secrets.ts';

// The embedded database keeps its key beside it, readable by its owner alone.
const keyFile = (folder: string) => join(folder, 'secret.key');
/** The key of a rotation that is not known to be complete. */
const nextKeyFile = (folder: string) => join(folder, 'secret.key.new');

const readKey = (file: string) => readFileSync(file, 'utf8').trim();

export function readSecretKey(folder: string): string | null {
  return existsSync(keyFile(folder)) ? readKey(keyFile(folder)) : null;
}

/** The key of the embedded database in `folder`, made where there is none yet. */
export async function settledSecretKey(db: Db, folder: string): Promise<string> {
  await finishRotation(db, folder);
  return readSecretKey(folder) ?? makeSecretKey(folder);
}

function makeSecretKey(folder: string): string {
  const key = newSecretKey();
  writeFileSync(keyFile(folder), `${key}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}

/** Takes back a key that turned out not to be the database's: it would stand where that one belongs. */
export function discardSecretKey(folder: string): void {
  rmSync(keyFile(folder), { force: true });
}

/** Before a rotation: from here on the key of whatever the database will hold is on the disk. */
export function keepNextKey(folder: string, key: string): void {
  const file = openSync(nextKeyFile(folder), 'w', 0o600);
  writeFileSync(file, `${key}\n`);
  fsyncSync(file);
  closeSync(file);
  syncFolder(folder);
}

/**
 * After a rotation, or at the first start after one that was cut short: the next key takes its place
 * where the database opens with it, and goes where it opens with the present one. The key before is
 * kept, because older backups need it. Returns the name it is kept under.
 */
export async function finishRotation(db: Db, folder: string): Promise<string | null> {
  if (!existsSync(nextKeyFile(folder))) return null;
  const sealed = await readKeyCheck(db);
  const opens = (key: string | null) =>
    key !== null && sealed !== null && opensKeyCheck(createSecrets(key), sealed);
  if (opens(readKey(nextKeyFile(folder)))) return replaceKey(folder);
  if (opens(readSecretKey(folder))) rmSync(nextKeyFile(folder));
  return null;
}

function replaceKey(folder: string): string | null {
  const moment = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const kept = `secret.key.until-${moment}`;
  const hasKey = existsSync(keyFile(folder));
  if (hasKey) copyFileSync(keyFile(folder), join(folder, kept));
  renameSync(nextKeyFile(folder), keyFile(folder));
  syncFolder(folder);
  return hasKey ? kept : null;
}

function syncFolder(folder: string): void {
  // Windows neither needs nor allows it.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownPrefix } from './atomic-write.ts';
import { type FileIdentity, identityOf } from './file-lock.ts';

const SHAPE = /^replaced-[0-9a-f]{16}$/;

export function idOf({ dev, ino }: FileIdentity): string {
  return `${dev}:${ino}`;
}

/**
 * Gives a file that is about to be replaced a second, hidden name, so that later writes to it can be read after a
 * kill. Undefined if that is impossible: on a file system without hard links, or for somebody else's file that this
 * user may not write.
 */
export function addHiddenName(target: string, file: FileIdentity): string | undefined {
  const name = `${ownPrefix(target)}replaced-${randomBytes(8).toString('hex')}`;
  const path = join(dirname(target), name);
  try {
    linkSync(target, path);
  } catch {
    return undefined;
  }
  const kept = identityOf(path);
  if (kept && idOf(kept) === idOf(file)) return name;
  rmSync(path, { force: true });
  return undefined;
}

/** Opens the file with this hidden name, if it is still the file that got it. */
export async function openHidden(
  target: string,
  name: string,
  id: string,
): Promise<FileHandle | undefined> {
  if (!name.startsWith(ownPrefix(target))) return undefined;
  const handle = await open(join(dirname(target), name), 'r').catch(() => undefined);
  if (handle && idOf(await handle.stat({ bigint: true })) === id) return handle;
  await handle?.close();
  return undefined;
}

export function removeHidden(target: string, name: string): void {
  try {
    rmSync(join(dirname(target), name), { force: true });
  } catch {
    // The next start tries again.
  }
}

/** Hidden names beside this file that a killed agent left. */
export async function hiddenNames(target: string): Promise<string[]> {
  const prefix = ownPrefix(target);
  const names = await readdir(dirname(target));
  return names.filter((name) => name.startsWith(prefix) && SHAPE.test(name.slice(prefix.length)));
}

/** The number of the file's names that are the agent's: a kill may leave some. */
export async function countHiddenNames(target: string): Promise<bigint> {
  const file = statSync(target, { bigint: true });
  const names = await readdir(dirname(target));
  const own = names.filter((name) => {
    if (!name.startsWith(ownPrefix(target))) return false;
    const found = identityOf(join(dirname(target), name));
    return found !== undefined && idOf(found) === idOf(file);
  });
  return BigInt(own.length);
}

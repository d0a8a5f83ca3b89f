import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { resolveTarget } from './atomic-write.ts';
import { lockPathOf } from './file-lock.ts';

/** What the agent may not do, in words for the panel. */
export type Denied = {
  /** EACCES, EPERM or EROFS. */
  reason: string;
  path: string;
  /** The numbers of owner and group, and the rights, as in 1000:1000 755. */
  owner: string;
  /** The user that the agent runs as. */
  user: string;
};

const REASONS = ['EACCES', 'EPERM', 'EROFS'];

function reasonOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS.find((one) => one === code);
}

function ownerOf(path: string): string {
  try {
    const { uid, gid, mode } = statSync(path);
    return `${uid}:${gid} ${(mode & 0o7777).toString(8)}`;
  } catch {
    return '?';
  }
}

/** A user of a number alone has no name. */
function ownUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '?');
  }
}

const denied = (path: string, reason: string): Denied => {
  return { reason, path, owner: ownerOf(path), user: ownUser() };
};

/** The folder or the file where the agent may not write, or the lock that it did not get; undefined if it may. */
function lookAt(target: string, hasFailed: boolean): Denied | undefined {
  const { R_OK, W_OK, X_OK } = constants;
  const asked: [path: string, mode: number][] = [
    [dirname(target), R_OK | W_OK | X_OK],
    [target, R_OK],
  ];
  // A lock that is held stays held, even if its file has another owner by now.
  if (hasFailed) asked.push([lockPathOf(target), R_OK | W_OK]);
  for (const [path, mode] of asked) {
    try {
      accessSync(path, mode);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason) return denied(path, reason);
    }
  }
  return undefined;
}

/**
 * Why the agent may not write a file: asked for, or taken from the error of a write, which may have a reason that cannot
 * be asked for. Undefined if it may.
 */
export function deniedAt(path: string, failure?: unknown): Denied | undefined {
  let target = path;
  try {
    target = resolveTarget(path);
    const found = lookAt(target, failure !== undefined);
    if (found) return found;
  } catch (error) {
    failure ??= error;
  }
  const reason = reasonOf(failure);
  return reason === undefined ? undefined : denied(dirname(target), reason);
}

import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { attempted, causeOf } from '../log.ts';
import { resolveTarget } from './atomic-write.ts';
import { lockPathOf } from './file-lock.ts';

const REASONS = ['EACCES', 'EPERM', 'EROFS'];

/** The operation, path and rights that keep the agent from writing, in words for the panel. */
export type Denied = NonNullable<ReturnType<typeof deniedBy>>;

function deniedBy(error: unknown, path: string) {
  const reason = REASONS.find((one) => one === causeOf(error));
  if (!reason) return undefined;
  const found = attempted(() => statSync(path));
  // Numbers of owner and group, and the rights, as in 1000:1000 755.
  const owner = found ? `${found.uid}:${found.gid} ${(found.mode & 0o7777).toString(8)}` : '?';
  // A user of a number alone has no name.
  const user = attempted(() => userInfo().username) ?? String(process.getuid?.() ?? '?');
  return { reason, path, owner, user };
}

/**
 * The folder, file or lock that keeps the agent from writing a file; undefined if nothing does. The error of a failed
 * write tells it, too, because some of its reasons show in no look at the file.
 */
export function deniedAt(path: string, failure?: unknown): Denied | undefined {
  let target: string;
  try {
    target = resolveTarget(path);
  } catch (error) {
    return deniedBy(failure ?? error, dirname(path));
  }
  const { R_OK, W_OK, X_OK } = constants;
  const asked: [path: string, mode: number][] = [
    [dirname(target), R_OK | W_OK | X_OK],
    [target, R_OK],
  ];
  // A lock that is held stays held, even if its file has another owner by now.
  if (failure !== undefined) asked.push([lockPathOf(target), R_OK | W_OK]);
  for (const [place, mode] of asked) {
    try {
      accessSync(place, mode);
    } catch (error) {
      const denied = deniedBy(error, place);
      if (denied) return denied;
    }
  }
  return deniedBy(failure, dirname(target));
}

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The owner of the embedded database in `folder` if this process runs as root and the owner is
 * another user; otherwise null. The owner could not open files written by root.
 */
function otherOwner(folder: string): { uid: number; gid: number; name: string } | null {
  if (process.geteuid?.() !== 0) return null;
  const found =
    statSync(join(folder, 'pgdata'), { throwIfNoEntry: false }) ??
    statSync(folder, { throwIfNoEntry: false });
  return found?.uid ? { uid: found.uid, gid: found.gid, name: nameOf(found.uid) } : null;
}

/** The user's name in the form that `sudo -u` accepts. */
function nameOf(uid: number): string {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    const line = lines.find((text) => text.split(':')[2] === String(uid));
    return line?.split(':')[0] || `'#${uid}'`;
  } catch {
    return `'#${uid}'`;
  }
}

/**
 * Makes this process create and open files with the rights of the database's owner; open files stay open. Returns a
 * function that restores root.
 */
export function becomeOwner(folder: string): () => void {
  const owner = otherOwner(folder);
  if (owner === null) return () => {};
  const groups = process.getgroups?.() ?? [];
  const gid = process.getegid?.() ?? 0;
  const becomeRoot = () => {
    process.seteuid?.(0);
    process.setegid?.(gid);
    process.setgroups?.(groups);
  };
  try {
    process.setgroups?.([owner.gid]);
    process.setegid?.(owner.gid);
    process.seteuid?.(owner.uid);
  } catch (error) {
    becomeRoot();
    const { name } = owner;
    throw new Error(
      `The database in ${folder} belongs to ${name}, and this process may not act as ${name}. Run the command as ${name}, with sudo -u ${name}`,
      { cause: error },
    );
  }
  return becomeRoot;
}

/** Checks that the database's owner can open the files that a panel run by this user creates, and throws if not. */
export function refuseOtherOwner(folder: string): void {
  const owner = otherOwner(folder);
  if (owner === null) return;
  const { name } = owner;
  throw new Error(
    `The data in ${folder} belongs to ${name}, and a panel that runs as root would leave files there that ${name} cannot open. Start it as ${name}, with sudo -u ${name}`,
  );
}

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const POINT_FIELD = 4;

/** The places named in Linux's `mountinfo`, which writes blanks and the like as octal numbers. */
export function mountPoints(mountInfo: string): string[] {
  return mountInfo.split('\n').flatMap((line) => {
    const point = line.split(' ')[POINT_FIELD];
    if (point === undefined) return [];
    const bytes = point.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    return [Buffer.from(bytes, 'latin1').toString()];
  });
}

function readMountInfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'latin1');
  } catch {
    // Only Linux has this list.
    return '';
  }
}

/** Whether the file, behind all links, is a mount of its own, which within one device only Linux reports. */
export function isMountedAlone(target: string): boolean {
  const file = statSync(target, { bigint: true, throwIfNoEntry: false });
  if (!file) return false;
  const isOtherDevice = file.dev !== statSync(dirname(target), { bigint: true }).dev;
  return isOtherDevice || mountPoints(readMountInfo()).includes(target);
}

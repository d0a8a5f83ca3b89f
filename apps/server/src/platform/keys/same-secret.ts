import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that does not tell where they differ, only whether their lengths do. */
export function isSameSecret(given: string | Buffer, expected: string | Buffer): boolean {
  const [one, other] = [Buffer.from(given as string), Buffer.from(expected as string)];
  return one.length === other.length && timingSafeEqual(one, other);
}

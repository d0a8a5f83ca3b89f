import { randomBytes } from 'node:crypto';

/**
 * The signs of codes: sixteen, for four bits each. Of signs that look alike (0 and O, 1, I and L, 2 and Z, 5 and S, 6
 * and G, 8 and B, U and V) at most one is used. None is a vowel, so that codes spell no words.
 */
const SIGNS = '234679CFHKMPRTXY';
const RANDOM_BYTES = 10;
const GROUPS = /.{4}/g;

/** A code of 80 random bits, in groups that are easy to read aloud: 4HXR-92MK-… */
export function makeCode(): string {
  const signs = [...randomBytes(RANDOM_BYTES)]
    .flatMap((byte) => [SIGNS[byte >> 4], SIGNS[byte & 15]])
    .join('');
  return signs.match(GROUPS)?.join('-') ?? signs;
}

/**
 * Letters for pronounceable words such as 'halom'. Excludes letters that sound alike (c/k, i/y) and
 * those needed for the most common swear words in the four languages.
 */
const FIRST = 'bdhklmnrstvwz';
const VOWELS = 'aeiou';
const LAST = 'dklmnrtz';

/** A random integer from 0 to `count` - 1. Excess values are discarded, so that all are equally likely. */
function randomBelow(count: number): number {
  const limit = Math.floor(2 ** 32 / count) * count;
  const drawn = new Uint32Array(1);
  do crypto.getRandomValues(drawn);
  while ((drawn[0] ?? limit) >= limit);
  return (drawn[0] ?? 0) % count;
}

const pick = (letters: string) => letters.charAt(randomBelow(letters.length));
const word = () => pick(FIRST) + pick(VOWELS) + pick(FIRST) + pick(VOWELS) + pick(LAST);

/** Entropy of a password in bits: three words and a number from 10 to 99. */
export const PASSWORD_BITS =
  3 * Math.log2((FIRST.length * VOWELS.length) ** 2 * LAST.length) + Math.log2(90);

/** A password that is easy to dictate on the telephone, such as 'tulim-harod-92-kitel'. */
export function generatePassword(): string {
  return [word(), word(), String(10 + randomBelow(90)), word()].join('-');
}

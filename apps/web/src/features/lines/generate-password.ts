/**
 * Letters of made-up words such as 'halom'. Left out are those that read alike (c/k, i/y) and
 * those that could spell the best-known rude words of our four languages.
 */
const FIRST = 'bdhklmnrstvwz';
const VOWELS = 'aeiou';
const LAST = 'dklmnrtz';

/** A number from 0 to `count` - 1, each equally likely: what would favour the low ones is drawn again. */
function randomBelow(count: number): number {
  const limit = Math.floor(2 ** 32 / count) * count;
  const drawn = new Uint32Array(1);
  do crypto.getRandomValues(drawn);
  while ((drawn[0] ?? limit) >= limit);
  return (drawn[0] ?? 0) % count;
}

const pick = (letters: string) => letters.charAt(randomBelow(letters.length));
const word = () => pick(FIRST) + pick(VOWELS) + pick(FIRST) + pick(VOWELS) + pick(LAST);

/** Bits of chance in one password: three words and a number from 10 to 99. */
export const PASSWORD_BITS =
  3 * Math.log2((FIRST.length * VOWELS.length) ** 2 * LAST.length) + Math.log2(90);

/** Easy to read out on the telephone, such as 'tulim-harod-92-kitel'. */
export function generatePassword(): string {
  return [word(), word(), String(10 + randomBelow(90)), word()].join('-');
}

/** Letters that Unicode does not decompose, but that the search treats as plain ones. */
const plain: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe' };

/** Normalizes a text as the panel's search does: "Müller" equals "muller". */
function folded(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.replace(/[ßłøđæœ]/g, (letter) => plain[letter] ?? letter);
}

const SPACING = '[ \\u00a0\\u202f./()-]*';

/**
 * The place of a number of at least three digits in a text, regardless of the spaces in either; undefined without one.
 */
function findNumber(part: string, text: string): [number, number] | undefined {
  const digits = part.replace(/\D/g, '');
  if (digits.length < 3 || !/^[+(]{0,2}\d[\d\s./()-]*\d$/.test(part.trim())) return undefined;
  const found = new RegExp([...digits].join(SPACING)).exec(text);
  return found ? [found.index, found.index + found[0].length] : undefined;
}

/** Start and end of the first match of `part` in the text; undefined if there is none. */
export function findFolded(part: string, text: string): [number, number] | undefined {
  return findWords(part, text) ?? findNumber(part, text);
}

function findWords(part: string, text: string): [number, number] | undefined {
  const wanted = folded(part);
  if (wanted === '') return undefined;
  // Normalising may change a letter's length, so each resulting letter keeps its original end.
  const letters = Array.from(text);
  const ends: number[] = [];
  let all = '';
  let end = 0;
  for (const letter of letters) {
    end += letter.length;
    const plainLetter = folded(letter);
    for (const _ of plainLetter) ends.push(end);
    // A combining accent belongs to the letter before it.
    if (plainLetter === '' && ends.length > 0) ends[ends.length - 1] = end;
    all += plainLetter;
  }
  const at = all.indexOf(wanted);
  if (at < 0) return undefined;
  return [at === 0 ? 0 : (ends[at - 1] ?? 0), ends[at + wanted.length - 1] ?? text.length];
}

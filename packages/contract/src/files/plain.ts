/** Keeps only lower-case letters and digits, without accents, because files spell words differently. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The text without these signs at its ends, each looked at once; a pattern would look at inner ones again and again. */
export function withoutEnds(text: string, signs: string): string {
  let [from, to] = [0, text.length];
  while (from < to && signs.includes(text.charAt(from))) from++;
  while (to > from && signs.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

export interface Word {
  /** The word in plain form. */
  word: string;
  shown: string;
  /** The text between the word and the word before. */
  gap: string;
}

export function wordsOf(text: string): Word[] {
  let end = 0;
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: shown, index }) => {
    const gap = text.slice(end, index);
    end = index + shown.length;
    return { word: plain(shown), shown, gap };
  });
}

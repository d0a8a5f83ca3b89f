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

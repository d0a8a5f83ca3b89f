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

/**
 * The text without these signs at its ends. Each end is scanned once, because a pattern would scan
 * inner signs again and again.
 */
export function withoutEnds(text: string, signs: string): string {
  let [from, to] = [0, text.length];
  while (from < to && signs.includes(text.charAt(from))) from++;
  while (to > from && signs.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

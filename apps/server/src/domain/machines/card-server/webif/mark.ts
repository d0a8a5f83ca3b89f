/**
 * The mark in an account's `description` that it is the panel's, and of which line: `Linekeeper <id>`, and behind it the
 * operator's own words. Texts of accounts are bytes, one latin1 character each.
 */
const MARK = /^Linekeeper(?: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?(?: \| (.*))?$/s;

export type Mark = { line: string | null; words: string };

/** The mark of a description; null if it has none. */
export function markOf(description: string | undefined): Mark | null {
  const found = MARK.exec(description ?? '');
  return found && { line: found[1] ?? null, words: found[2] ?? '' };
}

/** The description of a line's account, with the operator's own words kept. A line break would begin a setting. */
export function describe(line: string | undefined, before: string | undefined): string {
  // Bytes above 0x7f may be of a letter, in whatever encoding.
  const words = (markOf(before)?.words ?? before ?? '')
    .replace(/(?:(?![\u0080-\u009f])\p{Cc})+/gu, ' ')
    .replace(/^ +| +$/g, '');
  const mark = line === undefined ? 'Linekeeper' : `Linekeeper ${line}`;
  return words ? `${mark} | ${words}` : mark;
}

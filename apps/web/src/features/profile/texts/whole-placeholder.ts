const PLACEHOLDER = /\{\w+\}/g;

/**
 * The text without the rest of a placeholder of which one character was deleted, and the place of the caret. Undefined
 * if anything else was typed, so that the text stays as it is.
 */
export function withoutBroken(
  before: string,
  after: string,
  caret: number,
): { text: string; caret: number } | undefined {
  const isDeletion =
    before.length === after.length + 1 &&
    before.slice(0, caret) + before.slice(caret + 1) === after;
  if (!isDeletion) return undefined;
  for (const { index, 0: word } of before.matchAll(PLACEHOLDER)) {
    const end = index + word.length;
    if (caret >= index && caret < end) {
      return { text: before.slice(0, index) + before.slice(end), caret: index };
    }
  }
  return undefined;
}

/** The text with a placeholder in place of what is selected, and the caret behind it. */
export function withInserted(text: string, word: string, from: number, to: number) {
  const inserted = `{${word}}`;
  return {
    text: text.slice(0, from) + inserted + text.slice(to),
    caret: from + inserted.length,
  };
}

/** Characters between names in a sentence: spaces, quotes, brackets, and stops at the end of a word. */
const BETWEEN = /(\s+|["'“”„«»()<>[\]{},;!?`*]+|[.:](?=\s|$))/;

/** A text in words and what is between them; joined again it is the text. */
export function wordsOf(text: string): string[] {
  return text.split(BETWEEN).filter((part) => part !== '');
}

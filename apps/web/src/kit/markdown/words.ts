/** Characters between names in a sentence: spaces, quotes, brackets, and stops at the end of a word. */
const BETWEEN = /(\s+|["'“”„«»()<>[\]{},;!?`*]+|[.:](?=\s|$))/;

/** The words of a text and the characters between them. All parts joined are the text. */
export function wordsOf(text: string): string[] {
  return text.split(BETWEEN).filter((part) => part !== '');
}

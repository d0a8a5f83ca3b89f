/** Marks the start and end of a match in a headline; no font shows them, and no text keeps them. */
export const MATCH_STARTS = '\ue000';
export const MATCH_ENDS = '\ue001';

/** The readable words of a Markdown text as one paragraph, for search and excerpts. */
export function plainText(markdown: string): string {
  return (
    markdown
      .replaceAll(MATCH_STARTS, '')
      .replaceAll(MATCH_ENDS, '')
      .replace(/^\s*(?:```|~~~).*$/gm, '')
      // Bounded, because a text of nothing but brackets would otherwise take minutes.
      .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
      .replace(/<[^<>]{0,500}>/g, ' ')
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, '')
      .replace(/^[ \t]*[|:\- \t]+$/gm, '')
      .replace(/[*~`|]+/g, '')
      // Within a word an underscore is a letter of it.
      .replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** The text of a heading without the number signs that may close it. */
function withoutClosing(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end -= 1;
  const isClosed = /[ \t]/.test(trimmed[end - 1] ?? ' ');
  return isClosed ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** The headings of the second level in a Markdown text, in order, as plain text. */
export function headingsOf(markdown: string): string[] {
  const headings: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark) fence = fence === null ? mark : fence === mark ? null : fence;
    const text = fence === null ? /^ {0,3}#{1,2}[ \t]+(.+)$/.exec(line)?.[1] : null;
    const heading = withoutClosing(text ?? '');
    if (heading !== '')
      headings.push(heading.replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/[*_`~]/g, ''));
  }
  return headings;
}

const WORDS_A_MINUTE = 200;

export function minutesToRead(markdown: string): number {
  return Math.max(1, Math.round(markdown.split(/\s+/).length / WORDS_A_MINUTE));
}

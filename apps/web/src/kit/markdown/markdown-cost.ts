/** Levels of quotes and lists within each other, at most; the parser calls itself once for each. */
const MAX_DEPTH = 20;
/** Columns of an indent, at most; each nested list is indented by two columns or more. */
const MAX_INDENT = 2 * MAX_DEPTH;
/**
 * Pairs of emphasis marks, at most. The parser pairs the marks within a paragraph, which takes time by the square of
 * their number: the limit is a thousand in one paragraph, or four hundred in each of six.
 */
const MAX_PAIRINGS = 1_000_000;
/** Cells of tables, at most; each row is filled up to the columns of its table. */
const MAX_CELLS = 4000;
/** References to footnotes, at most; each one is drawn with a link back. */
const MAX_FOOTNOTES = 50;
const MAX_LINES = 3000;

const CONTAINERS = /^(?:[\t ]*(?:>|[-*+](?=[\t ])|\d{1,9}[.)](?=[\t ])))*/;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function isDeep(line: string): boolean {
  const marks = CONTAINERS.exec(line)?.[0] ?? '';
  if (count(marks, />|[-*+]|\d+[.)]/g) > MAX_DEPTH) return true;
  const indent = /^[\t ]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
  return marks !== '' && indent > MAX_INDENT;
}

/** Paragraphs, lists and tables, which end at empty lines. */
function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}

/**
 * True if a text can be parsed and drawn within some ten milliseconds and without exhausting the
 * stack. Texts that people write are far below the limits.
 */
export function isAffordable(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > MAX_LINES || lines.some(isDeep)) return false;
  if (count(text, /\[\^/g) > MAX_FOOTNOTES) return false;
  let pairings = 0;
  let cells = 0;
  for (const block of blocksOf(lines)) {
    pairings += count(block.join('\n'), /[*_~]/g) ** 2;
    cells += Math.max(0, ...block.map((line) => count(line, /\|/g))) * block.length;
  }
  return pairings <= MAX_PAIRINGS && cells <= MAX_CELLS;
}

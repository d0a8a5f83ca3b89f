import { type Format, linesOf, type Row, skipBlanks, trimBlanks } from './formats.ts';
import { ForeignBlock } from './unwritable.ts';

const BEGIN = '# BEGIN linekeeper';
const END = '# END linekeeper';
// Contains no '=', because oscam reads every line with one as a setting.
const NOTE =
  '# New rows of the linekeeper agent. Name, password and last day are its own, the rest is yours.';
/** The note of version 1.0.0, which replaced everything between its marks. */
const OLD_NOTE = '# Written by the linekeeper agent. Changes between BEGIN and END are lost.';
// On its own line, because older versions recognise BEGIN only unchanged. They write no instance
// line.
const INSTANCE = /^# Instance ([0-9a-f-]{36})$/;

/** A row, or a line outside of rows. */
export type Piece = Row | string;

type Part = {
  pieces: Piece[];
  /** Between BEGIN and END, behind a BEGIN whose END is lost, or anywhere else. */
  place: 'block' | 'torn' | 'outside';
  /** Written by version 1.0.0. */
  isOld: boolean;
};

export type Parts = {
  parts: Part[];
  /** Index of the part that begins at our first BEGIN. */
  blockAt: number | undefined;
  hasMarks: boolean;
};

function isMarker(line: string, marker: string): boolean {
  if (!line.includes(marker)) return false;
  return trimBlanks(line) === marker;
}

function instanceIn(line: string): string | undefined {
  if (!line.includes('# Instance ')) return undefined;
  return INSTANCE.exec(trimBlanks(line))?.[1];
}

function isHead(line: string): boolean {
  if (line[skipBlanks(line)] !== '#') return false;
  const text = trimBlanks(line);
  return text === NOTE || text === OLD_NOTE || instanceIn(line) !== undefined;
}

/**
 * Throws for another agent's block. A block without an instance comes from an older version and is
 * taken over.
 */
function requireOwnBlock(lines: string[], instance: string): void {
  for (const line of lines) {
    const found = instanceIn(line);
    if (found !== undefined && found !== instance) throw new ForeignBlock(found);
  }
}

/**
 * Splits the file into rows and other lines, without our marks. A mark does not decide whose a row is, because OSCam
 * drops marks with each save. Marks are a place for new rows, and name the agent that wrote them.
 */
export function takeApart(bytes: Buffer, format: Format, instance: string): Parts {
  const lines = linesOf(bytes.toString('latin1'));
  const parts: Part[] = [];
  let blockAt: number | undefined;
  let outside: string[] = [];
  const endOutside = () => {
    parts.push({ pieces: format.split(outside), place: 'outside', isOld: false });
    outside = [];
  };
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    index += 1;
    if (!isMarker(line, BEGIN)) {
      outside.push(line);
      continue;
    }
    endOutside();
    blockAt ??= parts.length;
    const start = index;
    while (index < lines.length && !isMarker(lines[index] ?? '', END)) {
      if (isMarker(lines[index] ?? '', BEGIN)) break;
      index += 1;
    }
    const inside = lines.slice(start, index);
    requireOwnBlock(inside, instance);
    const isWhole = isMarker(lines[index] ?? '', END);
    if (isWhole) index += 1;
    parts.push({
      pieces: format.split(inside.filter((text) => !isHead(text))),
      place: isWhole ? 'block' : 'torn',
      isOld: !inside.some((text) => isMarker(text, NOTE)),
    });
  }
  endOutside();
  return { parts, blockAt, hasMarks: blockAt !== undefined };
}

/** Our marks around these rows. Line feeds only: a carriage return would become part of a password. */
export function block(instance: string, body: string): string {
  return `${BEGIN}\n${NOTE}\n# Instance ${instance}\n${body}${END}\n`;
}

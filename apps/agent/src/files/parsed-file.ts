import { encodingOf, textOf } from '@linekeeper/oscam/bytes.ts';
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

/** A row where it was found. */
export type Found = {
  row: Row;
  /** Position of the row relative to a block of version 1.0.0, whose end is unknown if END is lost. */
  old: 'within' | 'perhaps' | undefined;
};

/** Rows by their names. */
export type FoundRows = ReadonlyMap<string, Found[]>;

export type ParsedFile = {
  parts: Part[];
  /** Index of the part that begins at our first BEGIN; undefined without our marks. */
  blockAt: number | undefined;
  rows: FoundRows;
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
function takeApart(
  bytes: Buffer,
  format: Format,
  instance: string,
): Pick<ParsedFile, 'parts' | 'blockAt'> {
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
  return { parts, blockAt };
}

/**
 * Reads a card server's file. `nameOf` gives the name by which the agent knows a row. Throws for another agent's
 * block.
 */
export function parseFile(
  bytes: Buffer,
  format: Format,
  instance: string,
  nameOf: (name: string) => string = (name) => name,
): ParsedFile {
  const parts = takeApart(bytes, format, instance);
  const rows = new Map<string, Found[]>();
  for (const { pieces, isOld, place } of parts.parts) {
    const old = isOld ? (place === 'block' ? 'within' : 'perhaps') : undefined;
    for (const row of pieces) {
      if (typeof row === 'string') continue;
      const name = nameOf(row.name);
      row.encoding = encodingOf(row.name, textOf(name));
      row.name = name;
      const found = rows.get(row.name) ?? [];
      found.push({ row, old });
      rows.set(row.name, found);
    }
  }
  return { ...parts, rows };
}

/** Our marks around these rows. Line feeds only: a carriage return would become part of a password. */
export function block(instance: string, body: string): string {
  return `${BEGIN}\n${NOTE}\n# Instance ${instance}\n${body}${END}\n`;
}

import { encodingOf, textOf } from '@linekeeper/oscam/bytes.ts';
import { ForeignBlock } from './atomic-write.ts';
import { type Format, linesOf, type Row, trimBlanks } from './formats.ts';

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

/** Rows by their names. */
export type FoundRows = ReadonlyMap<string, Row[]>;

type Part = {
  pieces: Piece[];
  /** Between BEGIN and END, behind a BEGIN whose END is lost, or anywhere else. */
  place: 'block' | 'torn' | 'outside';
  /** Written by version 1.0.0. */
  isOld: boolean;
};

export type ParsedFile = ReturnType<typeof parseFile>;

/** A line that can be a mark, without its blanks; undefined for all others, which are not trimmed. */
const markOf = (line = '') => (line.includes('# ') ? trimBlanks(line) : undefined);

/**
 * Splits a card server's file into rows and other lines, without our marks. A mark does not decide whose a row is,
 * because OSCam drops marks with each save. Marks are a place for new rows, and name the agent that wrote them.
 * `nameOf` gives the name by which the agent knows a row. Throws `ForeignBlock` for another agent's block; one without
 * an instance comes from an older version and is taken over.
 */
export function parseFile(
  bytes: Buffer,
  format: Format,
  instance: string,
  nameOf: (name: string) => string = (name) => name,
) {
  const lines = linesOf(bytes.toString('latin1'));
  const parts: Part[] = [];
  const rows = new Map<string, Row[]>();
  /** Index of the part that begins at our first BEGIN; undefined without our marks. */
  let blockAt: number | undefined;

  function add(found: string[], place: Part['place'], isOld = false): void {
    const pieces = format.split(found);
    parts.push({ pieces, place, isOld });
    for (const row of pieces) {
      if (typeof row === 'string') continue;
      const name = nameOf(row.name);
      row.encoding = encodingOf(row.name, textOf(name));
      row.name = name;
      if (isOld) row.old = place === 'block' ? 'within' : 'perhaps';
      const others = rows.get(name);
      if (others) others.push(row);
      else rows.set(name, [row]);
    }
  }

  let from = 0;
  for (;;) {
    const begin = lines.findIndex((line, index) => index >= from && markOf(line) === BEGIN);
    add(lines.slice(from, begin < 0 ? undefined : begin), 'outside');
    if (begin < 0) return { parts, blockAt, rows };
    blockAt ??= parts.length;
    let end = begin + 1;
    while (end < lines.length && ![BEGIN, END].includes(markOf(lines[end]) ?? '')) end += 1;
    const inside = lines.slice(begin + 1, end);
    const marks = inside.map(markOf);
    const instances = marks.flatMap((mark = '') => INSTANCE.exec(mark)?.[1] ?? []);
    const foreign = instances.find((one) => one !== instance);
    if (foreign !== undefined) throw new ForeignBlock(foreign);
    const isHead = (mark = '') => mark === NOTE || mark === OLD_NOTE || INSTANCE.test(mark);
    const isWhole = markOf(lines[end]) === END;
    add(
      inside.filter((_, index) => !isHead(marks[index])),
      isWhole ? 'block' : 'torn',
      !marks.includes(NOTE),
    );
    from = isWhole ? end + 1 : end;
  }
}

/** Our marks around these rows. Line feeds only: a carriage return would become part of a password. */
export function block(instance: string, body: string): string {
  return `${BEGIN}\n${NOTE}\n# Instance ${instance}\n${body}${END}\n`;
}

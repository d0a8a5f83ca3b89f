import { type FileChoices, withChoices } from '../choices.ts';
import { lineOfRow } from '../csv-line.ts';
import { faultText } from '../faults.ts';
import type { FoundLine } from '../found-line.ts';
import { type FileOptions, type LinesFile, mappingOf, readLinesFile } from '../read-file.ts';

export function fileIn(bytes: string | Uint8Array, options: FileOptions = {}): LinesFile {
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const read = readLinesFile(content, options);
  if ('problem' in read) throw new Error(read.problem.kind);
  return read.file;
}

/** The lines of a file, with the choices of a person applied. */
export function linesIn(
  bytes: string | Uint8Array,
  { dates, states, ...options }: Partial<FileChoices> & FileOptions = {},
): FoundLine[] {
  const file = fileIn(bytes, options);
  const found =
    file.format === 'csv'
      ? file.rows.map((row) => lineOfRow(file, row, mappingOf(file), 'UTC'))
      : file.lines;
  return found.map((line) => withChoices(line, { dates: dates ?? null, states: states ?? {} }));
}

export function problemIn(bytes: string | Uint8Array, options: FileOptions = {}) {
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const read = readLinesFile(content, options);
  return 'problem' in read ? read.problem : null;
}

export const messageOf = ({ fault }: FoundLine) => fault && faultText(fault);
/** The fault of a line or, without a fault, *on* or *off*, and the last day if there is one. */
export const told = ({ fault, isSuspended, isLeftOut, expiry }: FoundLine) =>
  fault?.code ?? `${isLeftOut ? 'left out' : isSuspended ? 'off' : 'on'} ${expiry ?? ''}`.trim();

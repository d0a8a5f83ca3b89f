import { lineOfRow } from '@linekeeper/contract/files/csv-line.ts';
import type { FoundLine } from '@linekeeper/contract/files/found-line.ts';
import { mappingOf, readLinesFile } from '@linekeeper/contract/files/read-file.ts';

export const clock = { timeZone: 'UTC', today: '2026-11-26' };

/** Lines of a file, as it reads without a choice of a person. */
export function linesIn(text: string): FoundLine[] {
  const read = readLinesFile(Buffer.from(text), { today: clock.today });
  if ('problem' in read) throw new Error(read.problem.kind);
  const { file } = read;
  if (file.format !== 'csv') return file.lines;
  return file.rows.map((row) => lineOfRow(file, row, mappingOf(file), clock));
}

/** The fault; without one *on* or *off*, and the last day if there is one. */
export const told = ({ fault, isSuspended, expiry }: FoundLine) =>
  fault?.code ?? `${isSuspended ? 'off' : 'on'} ${expiry ?? ''}`.trim();

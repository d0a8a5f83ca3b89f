import { guessMapping, type Mapping } from './import-fields.ts';
import type { FileRow, ReadFile } from './read-file.ts';

/** What is to be imported: a file, whether its first row is names, and what its columns mean. */
export interface Draft {
  file: ReadFile;
  hasHeadings: boolean;
  mapping: Mapping;
}

export function dataRows({ file, hasHeadings }: Draft): FileRow[] {
  return hasHeadings ? file.rows.slice(1) : file.rows;
}

export function draftOf(file: ReadFile, hasHeadings = file.hasHeadings): Draft {
  const width = Math.max(0, ...file.rows.map(({ cells }) => cells.length));
  const headings = hasHeadings ? (file.rows[0]?.cells ?? []) : [];
  const all = Array.from({ length: width }, (_, column) => headings[column] ?? '');
  return { file, hasHeadings, mapping: guessMapping(all) };
}

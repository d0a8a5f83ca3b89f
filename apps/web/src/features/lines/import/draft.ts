import { guessMapping, type ImportField, type Mapping, sentCell } from './import-fields.ts';
import { type FileRow, MB, type ReadFile, shownMegabytes } from './read-file.ts';

/** An import in preparation; `hasHeadings` tells whether the first row has the column names. */
export interface Draft {
  file: ReadFile;
  hasHeadings: boolean;
  mapping: Mapping;
}

export function dataRows({ file, hasHeadings }: Draft): FileRow[] {
  return hasHeadings ? file.rows.slice(1) : file.rows;
}

export function draftOf(file: ReadFile, hasHeadings = file.hasHeadings): Draft {
  const headings = hasHeadings ? (file.rows[0]?.cells ?? []) : [];
  const all = Array.from({ length: file.width }, (_, column) => headings[column] ?? '');
  return { file, hasHeadings, mapping: guessMapping(all) };
}

type ImportRow = Partial<Record<ImportField, string>>;

function rowOf({ cells }: FileRow, mapping: Mapping): ImportRow {
  return Object.fromEntries(
    mapping.flatMap((field, column) =>
      field ? [[field, sentCell(field, cells[column] ?? '')]] : [],
    ),
  );
}

/** The rows as the panel's request takes them. */
export function importBody(draft: Draft) {
  const rows = dataRows(draft);
  return {
    action: 'import' as const,
    rows: rows.map((row) => rowOf(row, draft.mapping)),
    row_numbers: rows.map(({ number }) => number),
  };
}

/**
 * Size of the request in megabytes if it exceeds the maximum, otherwise undefined; avoids a request
 * that would be refused.
 */
export function excessMegabytes(draft: Draft, maximum: number): number | undefined {
  const call = JSON.stringify({ ...importBody(draft), preview: true, only_valid: true });
  const bytes = new Blob([call]).size;
  return bytes > maximum * MB ? shownMegabytes(bytes) : undefined;
}

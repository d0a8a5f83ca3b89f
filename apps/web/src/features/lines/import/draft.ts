import { type Day, formatDay } from '@linekeeper/contract/dates.ts';
import { escapeFormula } from '@linekeeper/contract/lines/csv.ts';
import { type FileChoices, noChoices, withChoices } from '@linekeeper/line-files/choices.ts';
import type { Mapping } from '@linekeeper/line-files/csv-columns.ts';
import { lineOfRow } from '@linekeeper/line-files/csv-line.ts';
import { titlesOf } from '@linekeeper/line-files/csv-table.ts';
import { type FoundLine, refuseDuplicates } from '@linekeeper/line-files/found-line.ts';
import { mappingOf } from '@linekeeper/line-files/read-file.ts';
import type { NamedAccount } from '#domain/accounts/accounts.ts';
import { MB, type ReadFile, shownMegabytes } from './read-file.ts';

export interface Draft {
  file: ReadFile;
  /** The field of each column; empty for a card server's own file, whose fields are known. */
  mapping: Mapping;
  /** The server for rows that do not name one. */
  server_id: string;
  /** The expiry date for rows without one, as typed. */
  lastDay: string;
  choices: FileChoices;
  /** True to import lines behind a comment sign as suspended lines. */
  takesSwitchedOff: boolean;
  /** True if rows of existing lines renew them, which needs a column with months. */
  extendsExisting: boolean;
  /**
   * True if the card servers already have the lines. Only administrators can choose this, and the owner of the lines.
   */
  adopts: boolean;
  /** The owner of rows that do not name one. */
  owner: NamedAccount | null;
}

export function hasMonths({ mapping }: Draft): boolean {
  return mapping.includes('subscription_months');
}

/**
 * True if rows of existing lines extend these lines. The choice is kept while columns are reassigned, but has an effect
 * only if a column has months.
 */
export function extendsLines(draft: Draft): boolean {
  return draft.extendsExisting && hasMonths(draft);
}

export function draftOf(file: ReadFile): Draft {
  const mapping = file.format === 'csv' ? mappingOf(file) : [];
  return {
    ...{ file, mapping, server_id: '', lastDay: '', owner: null, choices: noChoices },
    ...{ takesSwitchedOff: false, extendsExisting: false, adopts: false },
  };
}

/** The draft in which the first row is either the names of the columns, or a row like others. */
export function withHeadings(draft: Draft, hasHeadings: boolean): Draft {
  const { file } = draft;
  if (file.format !== 'csv') return draft;
  const titled = { ...file, ...titlesOf(file, hasHeadings) };
  return { ...draft, file: titled, mapping: mappingOf(titled) };
}

/** The lines of the file, including those that will not be imported. */
export function linesOf(draft: Draft, timeZone: string): FoundLine[] {
  const { file, mapping, choices, takesSwitchedOff } = draft;
  const found =
    file.format === 'csv'
      ? file.rows.map((row) => lineOfRow(file, row, mapping, timeZone))
      : [...file.lines, ...(takesSwitchedOff ? file.switchedOff : [])];
  return refuseDuplicates(
    found
      .map((line) => withChoices(line, choices))
      .toSorted((one, other) => one.number - other.number),
  );
}

export function rowCount({ file, takesSwitchedOff }: Draft): number {
  if (file.format === 'csv') return file.rows.length;
  return file.lines.length + (takesSwitchedOff ? file.switchedOff.length : 0);
}

type ImportRow = Record<string, string>;

/** A row for the panel's request, without the apostrophe that protects spreadsheets. */
function rowOf(line: FoundLine, draft: Draft, lastDay: Day | null): ImportRow {
  const { username, password, expiry, added, isSuspended, texts } = line;
  const isTimed = texts.subscription_months !== undefined || texts.is_trial === 'true';
  const { server_id, owner } = draft;
  // A row without a password can only be an existing line, on any server.
  const isNew = !extendsLines(draft) || password !== '';
  const day = expiry ?? (isTimed ? null : lastDay);
  const cells = {
    ...{ username, password, ...texts },
    ...(day !== null && { expiry_date: formatDay(day) }),
    ...(added !== null && { added_date: added }),
    ...(isSuspended !== null && { is_suspended: String(isSuspended) }),
    ...(texts.server === undefined && isNew && server_id !== '' && { server_id }),
    ...(texts.owner === undefined && isNew && owner && { owner: owner.email }),
  };
  return Object.fromEntries(
    Object.entries(cells).map(([field, text]) => [field, escapeFormula(text)]),
  );
}

/** The body of the request to check or import the rows that could be read. */
export function importBody(draft: Draft, lines: readonly FoundLine[], lastDay: Day | null) {
  const sound = lines.filter(({ fault, isLeftOut }) => fault === null && !isLeftOut);
  return {
    action: 'import' as const,
    rows: sound.map((line) => rowOf(line, draft, lastDay)),
    row_numbers: sound.map(({ number }) => number),
    ...(extendsLines(draft) && { existing: 'extend' as const }),
    ...(draft.adopts && { adopt: true }),
  };
}
export type ImportBody = ReturnType<typeof importBody>;

/**
 * Size of the request in megabytes if it exceeds the maximum, otherwise undefined; avoids a request
 * that would be refused.
 */
export function excessMegabytes(body: ImportBody, maximum: number): number | undefined {
  const call = JSON.stringify({ ...body, preview: true, only_valid: true });
  const bytes = new Blob([call]).size;
  return bytes > maximum * MB ? shownMegabytes(bytes) : undefined;
}

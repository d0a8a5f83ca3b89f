import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { BYTE_ORDER_MARK, escapeFormula, unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import type { FoundLine } from '@linekeeper/line-files/found-line.ts';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { downloadCsv } from '#platform/browser/download-file.ts';
import { useToday } from '#platform/data/settings.ts';
import type { Draft } from './draft.ts';
import { useRowReason } from './row-reason.ts';

/**
 * A row of CSV with every cell in quotes, as in all files of the panel, so that a reader that
 * guesses the delimiter finds it.
 */
function csvRow(cells: readonly string[]): string {
  // Cells of a file from the panel have their apostrophe already, so it is removed and added once.
  const quoted = cells.map(
    (cell) => `"${escapeFormula(unescapeFormula(cell)).replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}

/** The rows of a file without changes. */
interface FileRows {
  headings: readonly string[];
  rows: readonly { number: number; cells: readonly string[] }[];
}

/** A row of the file that was refused, with the reason. */
type ProblemRow = Pick<JobItem, 'position' | 'error'>;

/** The columns for a card server's own file, which has none: the fields of its lines. */
const ownColumns = ['username', 'password', 'expiry_date', 'notes'];

export function fileRows({ file }: Draft, lines: readonly FoundLine[]): FileRows {
  if (file.format === 'csv') return file;
  const rows = lines.map(({ number, username, password, expiry, texts }) => ({
    number,
    cells: [username, password, expiry ?? '', texts.notes ?? ''].map(escapeFormula),
  }));
  return { headings: ownColumns, rows };
}

interface ProblemTexts {
  /** Headings of the two columns that are added. */
  row: string;
  reason: string;
  /** Name of a column without a heading. */
  column: (number: number) => string;
  reasonOf: (error: JobItem['error']) => string;
}

/**
 * The invalid rows of a file as CSV with their original cells, each with its row number and its
 * problem. The corrected file can be imported again.
 */
export function problemRowsCsv(
  { headings, rows }: FileRows,
  problems: readonly ProblemRow[],
  texts: ProblemTexts,
): string {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), headings.length);
  const columns = Array.from({ length: width }, (_, index) => index);
  const cellsOf = new Map(rows.map((row) => [row.number, row.cells]));
  const head = columns.map((index) => headings[index] || texts.column(index + 1));
  const wrong = problems.map(({ position, error }) => {
    const cells = cellsOf.get(position) ?? [];
    const own = columns.map((index) => cells[index] ?? '');
    return csvRow([...own, String(position), texts.reasonOf(error)]);
  });
  return BYTE_ORDER_MARK + csvRow([...head, texts.row, texts.reason]) + wrong.join('');
}

/** The button that downloads the invalid rows for correction in a spreadsheet. They are not sent to the panel. */
export function DownloadProblems({
  file,
  items,
}: {
  file: FileRows;
  items: readonly ProblemRow[];
}) {
  const { t } = useTranslation('bulk');
  const reasonOf = useRowReason();
  const today = useToday();
  const download = () => {
    const text = problemRowsCsv(file, items, {
      row: t('columns.row'),
      reason: t('field.reason'),
      column: (number) => t('import.column', { number }),
      reasonOf,
    });
    downloadCsv(text, `import-problems-${today}.csv`);
  };
  return (
    <Button variant="text" size="small" icon={<Download />} onClick={download}>
      {t('import.downloadProblems')}
    </Button>
  );
}

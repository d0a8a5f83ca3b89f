import { BYTE_ORDER_MARK, escapeFormula } from '@linekeeper/contract/lines/csv.ts';
import type { RedeemCode } from '@linekeeper/contract/redeem-codes.ts';

const columns = ['code', 'credits', 'description', 'max_uses', 'expires_at'] as const;

function csvRow(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map(
    (cell) => `"${escapeFormula(String(cell ?? '')).replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}

/** The codes that were just made; the panel writes the file of the whole list. */
export function codesCsv(codes: readonly RedeemCode[]): string {
  const rows = codes.map((code) => csvRow(columns.map((column) => code[column])));
  return BYTE_ORDER_MARK + csvRow(columns) + rows.join('');
}

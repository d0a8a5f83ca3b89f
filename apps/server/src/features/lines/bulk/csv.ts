import papaparse from 'papaparse';

/**
 * What a spreadsheet would take for a formula, and what looks like one that was escaped already: so
 * that taking one apostrophe off gives back every text exactly.
 */
const FORMULA = /^'*[=+\-@\t\r\0]/;
const ESCAPED_FORMULA = /^'(?='*[=+\-@\t\r\0])/;
const BYTE_ORDER_MARK = '\ufeff';

export type Cell = string | number | boolean | null;

export function unescapeFormula(text: string): string {
  return text.replace(ESCAPED_FORMULA, '');
}

/** The first rows of a file; more are added by `csvRows`. */
export function csvHead(columns: readonly string[]): string {
  return BYTE_ORDER_MARK + csvRows([[...columns]]);
}

export function csvRows(rows: readonly Cell[][]): string {
  if (rows.length === 0) return '';
  return `${papaparse.unparse(rows as Cell[][], { escapeFormulae: FORMULA, newline: '\r\n' })}\r\n`;
}

/**
 * Texts that spreadsheets would run as formulas, some with full-width signs, and texts that look
 * escaped already, so that removing one apostrophe always restores the original text.
 */
export const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n\0]/;
const ESCAPED_FORMULA = /^'(?='*[=+\-@＝＋－＠\t\r\n\0])/;

/** The first character of a file, which marks it as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\ufeff';

export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function unescapeFormula(text: string): string {
  return text.replace(ESCAPED_FORMULA, '');
}

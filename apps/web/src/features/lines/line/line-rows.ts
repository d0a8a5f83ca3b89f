import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { LINES_LIST_ID } from '#features/lines/focus-list.ts';

/**
 * The ID of the line one row before or after another in a list; the first line if the other is not in the list, and
 * undefined at either end.
 */
export function lineBeside(
  rows: readonly Line[],
  id: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = rows.findIndex((row) => row.id === id);
  return rows[at < 0 ? 0 : at + step]?.id;
}

/** The line whose row has the focus. */
export function focusedLine(): string | undefined {
  const row = document.activeElement?.closest('tr, li');
  return row?.querySelector<HTMLElement>('[data-line]')?.dataset.line;
}

export function focusRow(id: string): void {
  // The id is escaped, because the address may contain any text.
  const name = `#${LINES_LIST_ID} [data-line="${CSS.escape(id)}"]`;
  const link = document.querySelector<HTMLElement>(name);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: 'nearest' });
}

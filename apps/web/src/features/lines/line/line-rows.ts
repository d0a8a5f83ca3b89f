import { LINES_LIST_ID } from '../focus-list.ts';

/** The names of the lines that the list of lines shows, in its order. */
const LISTED_LINES = `#${LINES_LIST_ID} [data-line]`;

const links = () => [...document.querySelectorAll<HTMLElement>(LISTED_LINES)];
const idOf = (link: HTMLElement | undefined) => link?.dataset.line;

function linkOf(id: string): HTMLElement | undefined {
  return links().find((link) => link.dataset.line === id);
}

/** The line before or after another in the list; the first where that is not in it. */
export function lineBeside(id: string | undefined, step: 1 | -1): string | undefined {
  const all = links();
  const at = all.findIndex((link) => link.dataset.line === id);
  return idOf(at < 0 ? all[0] : all[at + step]);
}

/** The line whose row has the focus. */
export function focusedLine(): string | undefined {
  const row = document.activeElement?.closest('tr, li');
  return idOf(row?.querySelector<HTMLElement>('[data-line]') ?? undefined);
}

export function focusRow(id: string): void {
  const link = linkOf(id);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: 'nearest' });
}

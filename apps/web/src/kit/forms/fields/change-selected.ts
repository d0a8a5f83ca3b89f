import { flushSync } from 'react-dom';

/** Changes the text of an area and selects a part of it, before anything else can be typed. */
export function changeSelected(
  area: HTMLTextAreaElement,
  change: () => void,
  [from, to]: readonly [number, number],
): void {
  flushSync(change);
  area.focus();
  area.setSelectionRange(from, to);
}

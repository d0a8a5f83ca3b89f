/** The id of the list's element, which gets the focus if the button that opened a dialog no longer exists. */
export const LINES_LIST_ID = 'lines-list';

export function focusList(): void {
  document.getElementById(LINES_LIST_ID)?.focus({ preventScroll: true });
}

/** Yes and no, as card servers, databases and the panel's four languages write them. */
const yes = new Set(['1', 'true', 'yes', 'ja', 'tak', 'sim']);
const no = new Set(['0', 'false', 'no', 'nein', 'nie', 'não']);

/** The panel's own labels for lines that run and for lines that are off, in its four languages. */
const on = new Set(['active', 'aktiv', 'aktywna', 'ativa']);
const off = new Set([
  ...['inactive', 'inaktiv', 'nieaktywna', 'inativa'],
  ...['suspended', 'gesperrt', 'zawieszona', 'suspensa'],
]);

/** True for a cell that means yes, false for no; null if it is neither. */
export function answer(cell: string): boolean | null {
  const word = cell.trim().toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : null;
}

/** True if a word means that a line is on; null if only a person can decide. */
export function isRunning(cell: string): boolean | null {
  const word = cell.trim().toLowerCase();
  return on.has(word) ? true : off.has(word) ? false : answer(cell);
}

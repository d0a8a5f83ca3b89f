/** The database that holds what was last shown to the signed-in account. */
export const keptListsName = `linekeeper:${location.host}:lists`;

/** Nothing of it stays behind when a session ends or somebody else signs in. */
export function forgetKeptLists(): void {
  try {
    indexedDB.deleteDatabase(keptListsName);
  } catch {
    // Storage may be blocked, and then holds nothing.
  }
}

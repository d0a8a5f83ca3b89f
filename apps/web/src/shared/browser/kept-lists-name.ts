/** The database that holds what was last shown to the signed-in account. */
export const keptListsName = `linekeeper:${location.host}:lists`;

/** Nothing of it stays behind when a session ends or somebody else signs in. */
export function forgetKeptLists(): void {
  indexedDB.deleteDatabase(keptListsName);
}

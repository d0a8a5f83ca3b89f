/** Texts kept in a storage of the browser. If it is full or blocked, nothing is kept and nothing is found. */
function kept(storage: () => Storage) {
  return {
    read(key: string): string | null {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    /** Stores a text under the key; null removes it. */
    write(key: string, text: string | null): void {
      try {
        if (text === null) storage().removeItem(key);
        else storage().setItem(key, text);
      } catch {
        // Storage may be full or blocked, and the page works without it.
      }
    },
  };
}

export const keptInBrowser = kept(() => localStorage);
/** Texts kept as long as the tab is open, also when its page is loaded again. */
export const keptInTab = kept(() => sessionStorage);

/** Deletes the lists that versions up to 1.7 kept in this browser, to be read without a connection. */
export function forgetKeptLists(): void {
  try {
    indexedDB.deleteDatabase(`linekeeper:${location.host}:lists`);
  } catch {
    // Storage may be blocked, and then has no lists.
  }
}

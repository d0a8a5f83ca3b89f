/** A file of its own, so that the web worker that parses files does not load any schemas. */

export const MAX_IMPORT_ROWS = 20_000;
/** Maximum body in MiB: 500 letters for each of the most rows. */
export const MAX_BULK_MB = 10;
/** Maximum accounts of one import, which runs in one transaction. */
export const MAX_IMPORT_ACCOUNTS = 1000;

/** A file of its own, so that the web worker that parses files does not load any schemas. */

/** Maximum rows of one import, which runs in one transaction. */
export const MAX_IMPORT_ROWS = 1000;
/** Maximum body in MiB; an import of the most rows with every field stays far below. */
export const MAX_BULK_MB = 2;

/** A file of its own, so that the web worker that reads files does not load any schemas. */

/** What somebody says of a state that the panel does not know: the line runs, is suspended, or is not imported. */
export const stateChoices = ['on', 'off', 'leave_out'] as const;
export type StateChoice = (typeof stateChoices)[number];

/** How the dates in comments are written; with `none` they are not read. */
export const dateOrders = ['d-m-y', 'y-m-d', 'none'] as const;
export type DateOrder = (typeof dateOrders)[number];

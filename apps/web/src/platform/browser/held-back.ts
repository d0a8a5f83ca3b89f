import { createStore } from '#platform/state/create-store.ts';

/** True while something on the way to the panel gathers its events and does not pass them on. */
const heldBack = createStore(false);

export const reportHeldBack = heldBack.set;
export const useIsHeldBack = heldBack.use;

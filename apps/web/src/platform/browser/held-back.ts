import { createStore } from '#platform/state/create-store.ts';

/** True while a proxy between browser and panel buffers events. */
const heldBack = createStore(false);

export const reportHeldBack = heldBack.set;
export const useIsHeldBack = heldBack.use;

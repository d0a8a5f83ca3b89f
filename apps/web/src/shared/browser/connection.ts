import { createStore } from '../state/create-store.ts';

export type Connection = 'online' | 'offline' | 'unreachable';

let panelAnswers = true;
/** Starts with the page load, which was itself a reply of the panel. */
let answeredAt = performance.now();

function current(): Connection {
  if (!navigator.onLine) return 'offline';
  return panelAnswers ? 'online' : 'unreachable';
}

const connection = createStore(current());
const update = () => connection.set(current());
// Tests have no window.
globalThis.addEventListener?.('online', update);
globalThis.addEventListener?.('offline', update);

/** Records whether the last request got a reply; a browser can be online while the panel is down. */
export function reportReachable(answers: boolean): void {
  if (answers) answeredAt = performance.now();
  if (answers === panelAnswers) return;
  panelAnswers = answers;
  update();
}

const LATELY_MS = 2000;

/** True if the panel replied so recently that it need not be checked again. */
export function hasAnsweredRecently(): boolean {
  return panelAnswers && performance.now() - answeredAt < LATELY_MS;
}

export const useConnection = connection.use;

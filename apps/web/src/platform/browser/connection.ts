import { createStore } from '#platform/state/create-store.ts';

export type Connection = 'online' | 'offline' | 'unreachable';

let panelAnswers = true;
/** Starts with the page load, which was itself a reply of the panel. */
let answeredAt = performance.now();

/** A panel on the same machine or network answers without the internet, so only a request tells. */
function current(): Connection {
  if (panelAnswers) return 'online';
  return navigator.onLine ? 'unreachable' : 'offline';
}

export const connection = createStore<Connection>('online');
const update = () => connection.set(current());

/** Asks whether the panel answers, where the network of the browser has changed. */
function ask(): void {
  const asked = fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' });
  asked.then(() => reportReachable(true)).catch(() => reportReachable(false));
}
// Tests have no window.
globalThis.addEventListener?.('online', ask);
globalThis.addEventListener?.('offline', ask);

/** Records whether the last request got a reply; a browser can be online while the panel is down. */
export function reportReachable(answers: boolean): void {
  if (answers) answeredAt = performance.now();
  panelAnswers = answers;
  update();
}

const LATELY_MS = 2000;

/** True if the panel replied so recently that it need not be checked again. */
export function hasAnsweredRecently(): boolean {
  return panelAnswers && performance.now() - answeredAt < LATELY_MS;
}

export const useConnection = connection.use;

import { createStore } from '#platform/state/create-store.ts';

export type Connection = 'online' | 'offline' | 'unreachable';

let panelAnswers = true;
/** Time of the panel's last reply. It starts with the page load, which was a reply of the panel too. */
let answeredAt = performance.now();

/**
 * The state of the connection. Only a request shows whether the panel responds, because a panel on
 * the same machine or network works without the internet.
 */
function current(): Connection {
  if (panelAnswers) return 'online';
  return navigator.onLine ? 'unreachable' : 'offline';
}

export const connection = createStore<Connection>('online');
const update = () => connection.set(current());

/** Sends a request to the panel after the browser's network has changed. */
function ask(): void {
  const asked = fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' });
  asked.then(() => reportReachable(true)).catch(() => reportReachable(false));
}
// Unit tests run without a window, so this may be undefined.
globalThis.addEventListener?.('online', ask);
globalThis.addEventListener?.('offline', ask);

/** Records whether the last request got a reply. A browser can be online although the panel is down. */
export function reportReachable(answers: boolean): void {
  if (answers) answeredAt = performance.now();
  panelAnswers = answers;
  update();
}

const LATELY_MS = 2000;

/**
 * True if the panel replied so recently that it need not be checked again. False while the browser has no network,
 * because a reply from before may arrive late.
 */
export function hasAnsweredRecently(): boolean {
  const hasNetwork = navigator.onLine !== false;
  return panelAnswers && hasNetwork && performance.now() - answeredAt < LATELY_MS;
}

export const useConnection = connection.use;

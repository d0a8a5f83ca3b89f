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

function record(answers: boolean): void {
  if (answers) answeredAt = performance.now();
  panelAnswers = answers;
  update();
}

let lastAsked: Promise<unknown> | undefined;

/** Sends a request to the panel, when the browser's network has changed or may have. The last such request decides. */
function ask(): void {
  const asked = fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' });
  lastAsked = asked;
  const tell = (answers: boolean) => {
    if (lastAsked === asked) record(answers);
  };
  asked.then(() => tell(true)).catch(() => tell(false));
}
// Unit tests run without a window, so this may be undefined.
globalThis.addEventListener?.('online', ask);
globalThis.addEventListener?.('offline', ask);

/** Records whether the last request got a reply. A browser can be online although the panel is down. */
export function reportReachable(answers: boolean): void {
  // A reply from before the network was lost may arrive late, so a new request decides.
  if (answers && connection.get() === 'offline') ask();
  else record(answers);
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

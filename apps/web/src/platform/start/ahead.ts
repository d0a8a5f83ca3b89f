// The calls and texts with which the screen of an address begins, requested before its code is loaded (decision 0049).
// The register of screens and the contract contain the same but load later; a test compares them.

/** The calls of the frame around every screen of the signed-in. */
const ofFrame = [
  '/api/me',
  '/api/me/settings',
  '/api/settings/public',
  '/api/notifications/unread-count',
  '/api/notifications?limit=20',
];
const ofLines = ['/api/lines/counts?with_below=false', '/api/servers/choices'];
const ofScreens: Record<string, readonly string[]> = {
  '/': ['/api/dashboard'],
  '/users/all': ofLines,
  '/users/add': ['/api/servers/choices', '/api/credits/prices', '/api/lines/next-name'],
};

/** The calls that the screen of an address begins with. */
export function earlyCalls(path: string, search: string): string[] {
  // If the address has filters, only the list's own code can build the request.
  const rows =
    path === '/users/all' && search === '' ? ['/api/lines?limit=25&with_below=false'] : [];
  return [...rows, ...ofFrame, ...(ofScreens[path] ?? [])];
}

const textsOfSections: Record<string, string> = {
  '': 'dashboard',
  users: 'lines',
  'cccam-servers': 'servers',
  profile: 'profile',
};

/** The texts of the screen of an address, besides those of every screen. */
export function earlyTexts(path: string): string | undefined {
  return textsOfSections[path.split('/')[1] ?? ''];
}

/** Milliseconds after which a reply that was not used is dropped as stale. */
const LONGEST_KEPT_MS = 10_000;

const asked = new Map<string, Promise<Response>>();

/** Sends a request while the code that needs its reply is still loading. */
export function askEarly(address: string): void {
  const reply = fetch(address, {
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
  });
  // The caller that takes the reply handles its failure.
  reply.catch(() => undefined);
  asked.set(address, reply);
}

/** Drops the early replies: they are wrong for another session, and after a change. */
function forgetEarly(): void {
  asked.clear();
}

/** The reply of an early request. Each reply can be used once. */
function takeEarly(address: string): Promise<Response> | undefined {
  const reply = asked.get(address);
  asked.delete(address);
  return performance.now() < LONGEST_KEPT_MS ? reply : undefined;
}

/** Sends a call of the API, unless its reply was requested ahead. */
export async function fetchUnlessAsked(address: string, init: RequestInit): Promise<Response> {
  if (init.method !== 'GET') forgetEarly();
  return takeEarly(address) ?? fetch(address, init);
}

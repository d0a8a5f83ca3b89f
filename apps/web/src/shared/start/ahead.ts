// The API calls of each screen, known by its address before its code has loaded. The register of
// screens and the contract say the same but load later; a test compares them.

/** The calls of the frame around every screen of the signed-in. */
const ofFrame = [
  '/api/me',
  '/api/me/settings',
  '/api/settings/public',
  '/api/notifications/unread-count',
  '/api/notifications?limit=20',
];
const ofLines = ['/api/lines/counts', '/api/servers/choices'];
const ofScreens: Record<string, readonly string[]> = {
  '/': ['/api/dashboard'],
  '/users/all': ofLines,
  '/users/add': ['/api/servers/choices', '/api/credits/prices'],
};

/** The calls that the screen of an address begins with. */
export function earlyCalls(path: string, search: string): string[] {
  // An address that narrows the list down asks in words that only the list's own code knows.
  const rows = path === '/users/all' && search === '' ? ['/api/lines?limit=25'] : [];
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

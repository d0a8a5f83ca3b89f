import type { FileFault } from './faults.ts';

/**
 * The fault of a username that would change when it is stored. Usernames are stored trimmed and in composed letters,
 * so that names that look the same are one line. Their card server compares bytes, so a changed name would cut its
 * customer off.
 */
export function usernameFault(username: string): FileFault | null {
  const stored = username.trim().normalize('NFC');
  return stored === username ? null : { field: 'username', code: 'NAME_WOULD_CHANGE', data: {} };
}

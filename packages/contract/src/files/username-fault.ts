import type { FileFault } from './faults.ts';

/**
 * Usernames are stored trimmed and in composed letters, so that two that look the same are one line. At
 * their source they are bytes: one that would come out as other bytes would cut its customer off.
 */
export function usernameFault(username: string): FileFault | null {
  const stored = username.trim().normalize('NFC');
  return stored === username ? null : { field: 'username', code: 'NAME_WOULD_CHANGE', data: {} };
}

import { keptInTab } from '#platform/browser/storage.ts';

const KEY = 'pending-sign-in';

/**
 * Marks in this tab that a sign-in waits for its code, so that a reload resumes it. The sign-in itself is in a cookie
 * that no script can read. If storage is blocked, a reload begins the sign-in again.
 */
export const notePendingSignIn = () => keptInTab.write(KEY, 'true');
export const forgetPendingSignIn = () => keptInTab.write(KEY, null);
export const hasPendingSignIn = () => keptInTab.read(KEY) !== null;

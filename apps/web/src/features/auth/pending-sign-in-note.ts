import { keptInTab } from '#platform/browser/storage.ts';

const KEY = 'pending-sign-in';

/**
 * Notes in this tab that a sign-in waits for its code. The sign-in itself is in a cookie that no script
 * reads. Without storage, reloading begins the sign-in anew.
 */
export const notePendingSignIn = () => keptInTab.write(KEY, 'true');
export const forgetPendingSignIn = () => keptInTab.write(KEY, null);
export const hasPendingSignIn = () => keptInTab.read(KEY) !== null;

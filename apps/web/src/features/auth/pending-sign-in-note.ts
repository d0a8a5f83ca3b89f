const STORAGE_KEY = 'pending-sign-in';

/**
 * Notes in this tab that a sign-in waits for its code. The sign-in itself is in a cookie that no script
 * reads.
 */
export function notePendingSignIn(): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, 'true');
  } catch {
    // Without storage, reloading begins the sign-in anew.
  }
}

export function forgetPendingSignIn(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Nothing is stored.
  }
}

export function hasPendingSignIn(): boolean {
  try {
    return sessionStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

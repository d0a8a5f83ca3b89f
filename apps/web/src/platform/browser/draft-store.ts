import { accountKey } from './account-key.ts';

const prefix = `linekeeper:${location.host}:draft:`;

/** Values that were typed and not sent, with the idempotency key of the last attempt, if there was one. */
export interface Draft {
  values: Record<string, unknown>;
  sent?: { content: string; idempotencyKey: string };
}

export function draftKey(accountId: string, name: string): string {
  return `${prefix}${accountId}:${name}`;
}

export function readDraft(key: string): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof draft?.values === 'object' && draft.values !== null ? draft : null;
  } catch {
    return null;
  }
}

/**
 * False after a sign-out, so that a form that is still open, in this tab or another, does not store its draft again.
 */
function mayKeep(key: string): boolean {
  const account = localStorage.getItem(accountKey);
  if (account === null) return false;
  const { id } = JSON.parse(account);
  // If a session expired, its drafts stay for the account that signs in again.
  return id === undefined || key.startsWith(draftKey(id, ''));
}

export function keepDraft(key: string, draft: Draft | null): void {
  try {
    if (draft && mayKeep(key)) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    // Storage may be full or blocked; in that case the draft lasts as long as the page.
  }
}

/** Deletes all drafts in the browser, at sign-out, because the next user of the computer must not see them. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix)) localStorage.removeItem(key);
    }
  } catch {
    // Storage may be blocked, and then has no drafts.
  }
}

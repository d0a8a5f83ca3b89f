import { type Draft, draftKey, keepDraft, readDraft } from '../../browser/draft-store.ts';

/**
 * The panel knows an idempotency key for a day. What may have arrived and is older is not sent by
 * itself, because it could arrive twice.
 */
const KEY_LIVES_MS = 20 * 3_600_000;

/** A form shows by this that its draft was sent without it. */
const SENT = 'linekeeper:draft-sent';

export interface WaitingDraft {
  key: string;
  /** The name of the form, such as `reply:<id>`. */
  name: string;
}

/** What the account submitted without a connection. */
export function waitingDrafts(accountId: string): WaitingDraft[] {
  const start = draftKey(accountId, '');
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start) && readDraft(key)?.isWaiting)
      .map((key) => ({ key, name: key.slice(start.length) }));
  } catch {
    return [];
  }
}

/** Takes it for a draft like any other: the person decides. */
export function stopWaiting(key: string): void {
  const { isWaiting: _, ...draft } = readDraft(key) ?? { values: {} };
  keepDraft(key, draft);
  announce(key);
}

/** Notes that it is on its way; null where it may no longer be sent by itself. */
export function startAttempt(key: string): Draft['sent'] | null {
  const draft = readDraft(key);
  if (!draft?.isWaiting || !draft.sent) return null;
  const { triedAt = Date.now() } = draft.sent;
  if (Date.now() - triedAt > KEY_LIVES_MS) {
    stopWaiting(key);
    return null;
  }
  const sent = { ...draft.sent, triedAt };
  keepDraft(key, { ...draft, sent });
  return sent;
}

/** Forgets what was sent, unless it was changed meanwhile. */
export function endAttempt(key: string, { idempotencyKey }: { idempotencyKey: string }): void {
  const draft = readDraft(key);
  if (!draft?.isWaiting || draft.sent?.idempotencyKey !== idempotencyKey) return;
  keepDraft(key, null);
  keepDraft(`${key}:files`, null);
  announce(key);
}

function announce(key: string): void {
  window.dispatchEvent(new CustomEvent(SENT, { detail: key }));
}

/** Calls back when the draft was sent or returned by somebody else than its form, in any tab. */
export function onDraftChanged(key: string, listener: () => void): () => void {
  const here = (event: Event) => (event as CustomEvent<string>).detail === key && listener();
  const elsewhere = (event: StorageEvent) => event.key === key && listener();
  window.addEventListener(SENT, here);
  window.addEventListener('storage', elsewhere);
  return () => {
    window.removeEventListener(SENT, here);
    window.removeEventListener('storage', elsewhere);
  };
}

import { useSyncExternalStore } from 'react';
import { queryClient } from '../shared/data/query-client.ts';
import { lazyComponent } from '../shared/start/lazy-component.tsx';

const SessionEndedDialog = lazyComponent(
  async () => (await import('../features/auth/session-ended-dialog.tsx')).SessionEndedDialog,
);

/** Leaves the page, while the dialog is open; null while it is closed. */
let leavePage: (() => void) | null = null;
const listeners = new Set<() => void>();

function show(leave: (() => void) | null): void {
  leavePage = leave;
  for (const listener of listeners) listener();
}

/** Asks for the password in a dialog over the page; `leave` gives up the page's input. */
export function askToSignIn(leave: () => void): void {
  show(leave);
}

export function closeSessionQuestion(): void {
  show(null);
}

/** Renders the dialog of `askToSignIn`. Use it once, in the signed-in part. */
export function SessionQuestion() {
  const leave = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => leavePage,
  );
  if (!leave) return null;
  return (
    <SessionEndedDialog
      onSignedIn={() => {
        closeSessionQuestion();
        void queryClient.invalidateQueries();
      }}
      onLeave={leave}
    />
  );
}

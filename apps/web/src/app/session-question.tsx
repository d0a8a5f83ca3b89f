import { queryClient } from '#platform/data/query-client.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { createStore } from '#platform/state/create-store.ts';

const SessionEndedDialog = lazyPart(
  () => import('#features/auth/session-ended-dialog.tsx'),
  'SessionEndedDialog',
);

/** A function that leaves the page while the dialog is open; null while it is closed. */
const leavePage = createStore<(() => void) | null>(null);

/** Asks for the password in a dialog over the page; `leave` discards the page's input. */
export function askToSignIn(leave: () => void): void {
  leavePage.set(leave);
}

export function closeSessionQuestion(): void {
  leavePage.set(null);
}

/** Renders the dialog of `askToSignIn`. Use it once, in the signed-in part. */
export function SessionQuestion() {
  const leave = leavePage.use();
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

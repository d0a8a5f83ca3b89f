import { queryClient } from '../shared/data/query-client.ts';
import { onSessionEnd } from '../shared/data/session.ts';
import { hasUnsavedInput } from '../shared/forms/unsaved-input.ts';
import { returnAddress } from './guard.ts';
import { router } from './router.tsx';
import { askToSignIn, closeSessionQuestion } from './session-question.tsx';

let isLeaving = false;

/** Goes to sign-in, with the way back if the account did not sign out itself. */
async function leave(withReturn: boolean): Promise<void> {
  // Several requests may report the end of the session; only the first still knows the path.
  if (isLeaving) return;
  isLeaving = true;
  closeSessionQuestion();
  const to = withReturn ? returnAddress(router.latestLocation.href) : undefined;
  await router.navigate({ to: '/sign-in', search: to ? { to } : {}, ignoreBlocker: true });
  queryClient.clear();
  isLeaving = false;
}

/**
 * Follows the end of the session. Where it expired under unsaved input, the page stays and a dialog
 * asks for the password, because a session must not take away what somebody has typed.
 */
export function followSessionEnd(): void {
  onSessionEnd((reason) => {
    if (reason === 'expired' && hasUnsavedInput()) askToSignIn(() => void leave(true));
    else void leave(reason !== 'signed-out');
  });
}

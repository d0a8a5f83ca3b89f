import '#kit/theme/tokens.css';
import '#kit/theme/base.css';
import '#kit/theme/tailwind.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { hasUnsavedInput } from '#kit/forms/unsaved-input.ts';
import { sendCallsBy } from '#platform/api/client.ts';
import { forgetKeptLists } from '#platform/browser/storage.ts';
import { queryClient } from '#platform/data/query-client.ts';
import { followOtherTabs, onSessionEnd } from '#platform/data/session.ts';
import { startI18n } from '#platform/i18n/i18n.ts';
import { knownLanguage } from '#platform/i18n/languages.ts';
import { fetchUnlessAsked } from '#platform/start/ahead.ts';
import { returnAddress } from './guard.ts';
import { router } from './router.tsx';
import { askToSignIn, closeSessionQuestion } from './session-question.tsx';

let isLeaving = false;

/** Goes to sign-in. Unless the account signed out itself, the address includes the page to return to. */
async function leave(withReturn: boolean): Promise<void> {
  // Several requests may report the end of the session; only the first one still has the page's address.
  if (isLeaving) return;
  isLeaving = true;
  closeSessionQuestion();
  const to = withReturn ? returnAddress(router.latestLocation.href) : undefined;
  await router.navigate({ to: '/sign-in', search: to ? { to } : {}, ignoreBlocker: true });
  queryClient.clear();
  isLeaving = false;
}

/**
 * Follows the end of the session. If it expires while the page has unsaved input, the page stays
 * and a dialog asks for the password, so that the input is not lost.
 */
function followSessionEnd(): void {
  onSessionEnd((reason) => {
    if (reason === 'expired' && hasUnsavedInput()) askToSignIn(() => void leave(true));
    else void leave(reason !== 'signed-out');
  });
}

/** Milliseconds before the router shows a placeholder for a screen that loads slowly. */
const PLACEHOLDER_MS = 900;

sendCallsBy(fetchUnlessAsked);
followSessionEnd();
followOtherTabs();

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');
await startI18n();
// The router draws a screen that it has just loaded in one piece, which blocks a phone for long. A
// screen that was loaded before the first drawing is drawn in slices.
const pendingPlaceholder = new Promise((resolve) => setTimeout(resolve, PLACEHOLDER_MS));
await Promise.race([router.load().catch(() => undefined), pendingPlaceholder]);
const root = createRoot(container);
startTransition(() =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
// The calls below come after the first drawing, which does not need them.
forgetKeptLists();
if (!knownLanguage()) {
  void import('./country-language.ts').then(({ followCountry }) => followCountry());
}

import '../shared/theme/tokens.css';
import '../shared/theme/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../shared/api/query-client.ts';
import { startI18n } from '../shared/i18n/i18n.ts';
import { paths } from '../shared/paths.ts';
import { followOtherTabs, onSessionEnd } from '../shared/session.ts';
import { returnAddress } from './guard.ts';
import { router } from './router.tsx';

let isLeaving = false;

onSessionEnd(async (reason) => {
  // Several calls may hear at once that the session is over: the first knows where it was.
  if (isLeaving) return;
  isLeaving = true;
  const { href } = router.latestLocation;
  const to = reason === 'expired' ? returnAddress(href) : undefined;
  // What was entered belongs to a session that is over: nobody is asked about it.
  await router.navigate({ to: paths.signIn(), search: to ? { to } : {}, ignoreBlocker: true });
  queryClient.clear();
  isLeaving = false;
});
followOtherTabs();

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');
await startI18n();
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#platform/api/client.ts';
import { endSession } from './session.ts';

const MAX_RETRIES = 2;

function leaveWhenSignedOut(error: unknown): void {
  if (error instanceof ApiError && error.code === 'NO_AUTHENTICATED_USER') endSession('expired');
}

/** Refetches prices after a refusal because of a changed price, so that the page does not show the old one. */
function refetchChangedPrices(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'QUOTE_CHANGED')) return;
  const shown = ['credits', 'bulk-preview'] as const;
  for (const name of shown) void queryClient.invalidateQueries({ queryKey: [name] });
}

/** Retries only server errors (5xx), because the panel would repeat a refusal. */
function isWorthARetry(failures: number, error: unknown): boolean {
  return error instanceof ApiError && error.status >= 500 && failures < MAX_RETRIES;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({
    onError: (error) => {
      leaveWhenSignedOut(error);
      refetchChangedPrices(error);
    },
  }),
  defaultOptions: {
    queries: {
      // Offline, requests fail immediately and cached data stays; paused requests would look like a frozen page.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: isWorthARetry,
      staleTime: 10_000,
    },
    // A mutation must never be sent later without the user, for example a sale after reconnecting.
    mutations: { networkMode: 'always', retry: false },
  },
});

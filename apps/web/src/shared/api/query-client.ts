import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession } from '../session.ts';
import { ApiError } from './client.ts';

const MAX_RETRIES = 2;

function leaveWhenSignedOut(error: unknown): void {
  if (error instanceof ApiError && error.code === 'NO_AUTHENTICATED_USER') endSession('expired');
}

/** A refusal will be the same the next time; only what broke on the way is worth another try. */
function isWorthARetry(failures: number, error: unknown): boolean {
  return error instanceof ApiError && error.status >= 500 && failures < MAX_RETRIES;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      // Offline calls fail at once and keep what is cached: a screen that waits looks broken.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: isWorthARetry,
      staleTime: 10_000,
    },
    // A sale must never be sent later by itself, when the connection is back.
    mutations: { networkMode: 'always', retry: false },
  },
});

import { getMe, type Me, me } from '@linekeeper/contract/auth/auth.ts';
import { type Access, can } from '@linekeeper/contract/permissions.ts';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/client.ts';
import { accountKey } from '#platform/browser/account-key.ts';
import { forgetDrafts } from '#platform/browser/draft-store.ts';
import { keptInBrowser } from '#platform/browser/storage.ts';

const REVALIDATE_EVERY = 30_000;
type EndReason = 'signed-out' | 'signed-out-elsewhere' | 'expired';
/**
 * The text that is stored instead of the account, so that other tabs can distinguish an expired
 * session from a sign-out.
 */
const EXPIRED = JSON.stringify('expired');
const endListeners = new Set<(reason: EndReason) => void>();

export function rememberedAccount(): Me | undefined {
  try {
    return me.safeParse(JSON.parse(keptInBrowser.read(accountKey) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

/** The account from the cache or storage, without a request. */
export function knownAccount(queryClient: QueryClient): Me | undefined {
  return queryClient.getQueryData<Me>(meQuery().queryKey) ?? rememberedAccount();
}

/** Stores only non-secret fields, enough to render the shell before the panel replies. */
function rememberAccount(account: Me): void {
  keptInBrowser.write(accountKey, JSON.stringify(account));
}

function forgetAccount(reason: EndReason): void {
  keptInBrowser.write(accountKey, reason === 'expired' ? EXPIRED : null);
  if (reason === 'signed-out') forgetDrafts();
}

/** The signed-in account, refetched every 30 s and when the window gets the focus. */
export function meQuery() {
  return queryOptions({
    queryKey: ['me'],
    queryFn: async ({ signal }) => {
      const before = rememberedAccount();
      const account = await call(getMe, {}, { signal });
      rememberAccount(account);
      if (before && before.id !== account.id) {
        // The page was drawn for another account. It is reloaded instead of drawn again, because
        // the input of one account would become a draft of the other.
        location.reload();
        return new Promise<never>(() => undefined);
      }
      return account;
    },
    initialData: rememberedAccount,
    initialDataUpdatedAt: 0,
    staleTime: REVALIDATE_EVERY / 2,
    refetchInterval: REVALIDATE_EVERY,
    refetchOnWindowFocus: 'always',
  });
}

/** The signed-in account. Throws outside the shell, whose guard loads the account. */
export function useMe(): Me {
  const { data } = useQuery(meQuery());
  if (!data) throw new Error('useMe was called outside the signed-in part');
  return data;
}

/** The signed-in account; null for a visitor. For screens that visitors see if a setting allows it. */
export function useReader(): Me | null {
  const queryClient = useQueryClient();
  const isSignedIn = knownAccount(queryClient) !== undefined;
  const { data } = useQuery({ ...meQuery(), enabled: isSignedIn });
  return isSignedIn ? (data ?? null) : null;
}

export function useCan(access: Access): boolean {
  return can(useMe(), access);
}

/**
 * Forgets the signed-in account and its data in this tab. To be called when the panel has ended the session, or the
 * account has signed out.
 */
export function endSession(reason: EndReason): void {
  forgetAccount(reason);
  for (const listener of endListeners) listener(reason);
}

export function onSessionEnd(listener: (reason: EndReason) => void): void {
  endListeners.add(listener);
}

/**
 * Reloads this tab if another tab signs out or signs in as another account, because the cached data is invalid then, or
 * if it signs in while this tab asks for a sign-in. No data of the previous account is kept.
 */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== accountKey) return;
    if (!oldValue || oldValue === EXPIRED) {
      if (location.pathname === '/sign-in' && rememberedAccount()) location.reload();
    } else if (!newValue) endSession('signed-out-elsewhere');
    else if (newValue === EXPIRED) endSession('expired');
    else if (idOf(oldValue) !== idOf(newValue)) location.reload();
  });
}

/** Calls `listener` with the id of an account that signs in in another tab. */
export function onAccountRemembered(listener: (accountId: string) => void): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key === accountKey && newValue && newValue !== EXPIRED) listener(idOf(newValue));
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

function idOf(account: string): string {
  return (JSON.parse(account) as Me).id;
}

/** Stores an account that came in the reply of another request. */
export function cacheAccount(queryClient: QueryClient, account: Me): void {
  rememberAccount(account);
  queryClient.setQueryData(meQuery().queryKey, account);
}

export function useCacheAccount(): (account: Me) => void {
  const queryClient = useQueryClient();
  return (account) => cacheAccount(queryClient, account);
}

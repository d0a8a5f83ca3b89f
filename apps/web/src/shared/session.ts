import { getMe, type Me, me, signOut } from '@linekeeper/contract/auth.ts';
import { type Access, can } from '@linekeeper/contract/permissions.ts';
import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from './api/client.ts';

const REVALIDATE_EVERY = 30_000;
/** Only the non-secret account: enough to draw the shell before the panel has answered. */
const accountKey = `linekeeper:${location.host}:account`;
type EndReason = 'signed-out' | 'expired';
const endListeners = new Set<(reason: EndReason) => void>();

export function rememberedAccount(): Me | undefined {
  try {
    return me.safeParse(JSON.parse(localStorage.getItem(accountKey) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

function rememberAccount(account: Me): void {
  try {
    localStorage.setItem(accountKey, JSON.stringify(account));
  } catch {
    // Storage may be full or forbidden; the panel works without it.
  }
}

function forgetAccount(): void {
  try {
    localStorage.removeItem(accountKey);
  } catch {
    // See rememberAccount.
  }
}

/** The signed-in account, asked again every 30 s and whenever the window gets the focus. */
export function meQuery() {
  return queryOptions({
    queryKey: ['me'],
    queryFn: async ({ signal }) => {
      const account = await call(getMe, {}, { signal });
      rememberAccount(account);
      return account;
    },
    initialData: rememberedAccount,
    initialDataUpdatedAt: 0,
    staleTime: REVALIDATE_EVERY / 2,
    refetchInterval: REVALIDATE_EVERY,
    refetchOnWindowFocus: 'always',
  });
}

/** Only inside the shell, whose guard has loaded the account. */
export function useMe(): Me {
  const { data } = useQuery(meQuery());
  if (!data) throw new Error('useMe was called outside the signed-in part');
  return data;
}

export function useCan(access: Access): boolean {
  return can(useMe(), access);
}

/** The panel said that the session is over, or the reader signed out. */
export function endSession(reason: EndReason): void {
  forgetAccount();
  for (const listener of endListeners) listener(reason);
}

export function onSessionEnd(listener: (reason: EndReason) => void): void {
  endListeners.add(listener);
}

/** Another tab signed out, or signed in as somebody else: nothing cached here is valid any more. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== accountKey || !oldValue) return;
    if (!newValue) endSession('expired');
    else if (idOf(oldValue) !== idOf(newValue)) location.reload();
  });
}

function idOf(account: string): unknown {
  return (JSON.parse(account) as Partial<Me>).id;
}

/** Takes an account from another reply than that of `meQuery`. */
export function keepAccount(queryClient: QueryClient, account: Me): void {
  rememberAccount(account);
  queryClient.setQueryData(meQuery().queryKey, account);
}

export function useKeepAccount(): (account: Me) => void {
  const queryClient = useQueryClient();
  return (account) => keepAccount(queryClient, account);
}

/** Ends the session; a panel that cannot be reached is told so, for the session would live on. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => call(signOut),
    onSuccess: () => endSession('signed-out'),
  });
}

import { getSession } from '@linekeeper/contract/auth/auth.ts';
import { redirect } from '@tanstack/react-router';
import { screens } from '../screens.ts';
import { call } from '../shared/api/client.ts';
import { queryClient } from '../shared/api/query-client.ts';
import { safeReturnPath } from '../shared/return-path.ts';
import { cacheAccount, knownAccount, rememberedAccount } from '../shared/session.ts';

/**
 * Redirects to sign-in unless an account is signed in. A remembered account is trusted at once so
 * that the shell needs no request first; the shell's own query verifies the session.
 */
export async function requireAccount({ location }: { location: { href: string } }): Promise<void> {
  if (knownAccount(queryClient)) return;
  const session = await call(getSession);
  if (session) cacheAccount(queryClient, session.user);
  else throw redirect({ to: '/sign-in', search: { to: returnAddress(location.href) } });
}

/** The path to return to after signing in; undefined for the start page, which is the default. */
export function returnAddress(href: string): string | undefined {
  const path = safeReturnPath(href);
  return path === '/' ? undefined : path;
}

/** Redirects signed-in accounts away from the screens for signing in and up. */
export function requireNoAccount({ search }: { search: unknown }): void {
  if (!rememberedAccount()) return;
  const { to } = screens.signIn.search.parse(search);
  throw redirect({ href: safeReturnPath(to) });
}

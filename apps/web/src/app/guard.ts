import { getSession } from '@linekeeper/contract/auth/auth.ts';
import { redirect } from '@tanstack/react-router';
import { call } from '#platform/api/client.ts';
import { safeReturnPath } from '#platform/browser/return-path.ts';
import { queryClient } from '#platform/data/query-client.ts';
import { cacheAccount, knownAccount, rememberedAccount } from '#platform/data/session.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { screenAt, screens } from '#screens/screens.ts';

interface Address {
  href: string;
  pathname: string;
}

/**
 * Redirects to sign-in unless an account is signed in, or a setting opens the screen to all. A remembered account is
 * accepted without a request, so that the shell is drawn first; the shell's own query verifies the session.
 */
export async function requireAccount({ location }: { location: Address }): Promise<void> {
  if (knownAccount(queryClient)) return;
  const session = await call(getSession);
  if (session) cacheAccount(queryClient, session.user);
  else if (!(await isOpenToVisitors(location.pathname)))
    throw redirect({ to: '/sign-in', search: { to: returnAddress(location.href) } });
}

async function isOpenToVisitors(pathname: string): Promise<boolean> {
  if (!screenAt(pathname)?.isPublicBySetting) return false;
  return (await queryClient.ensureQueryData(publicSettingsQuery())).articles_public;
}

/** The path to return to after signing in; undefined for the start page, which is the default. */
export function returnAddress(href: string): string | undefined {
  const path = safeReturnPath(href);
  return path === '/' ? undefined : path;
}

/** Redirects signed-in accounts from the screens for signing in and up. */
export function requireNoAccount({ search }: { search: unknown }): void {
  if (!rememberedAccount()) return;
  const { to } = screens.signIn.search.parse(search);
  throw redirect({ href: safeReturnPath(to) });
}

import { getSession } from '@linekeeper/contract/auth.ts';
import { redirect } from '@tanstack/react-router';
import { call } from '../shared/api/client.ts';
import { queryClient } from '../shared/api/query-client.ts';
import { paths } from '../shared/paths.ts';
import { safeReturnPath } from '../shared/return-path.ts';
import { keepAccount, meQuery, rememberedAccount } from '../shared/session.ts';

/**
 * Lets in whoever is signed in. A remembered account is believed at once, so that the shell needs
 * no waiting: the query that asks the panel again follows with the shell.
 */
export async function requireAccount({ location }: { location: { href: string } }): Promise<void> {
  if (queryClient.getQueryData(meQuery().queryKey) ?? rememberedAccount()) return;
  const session = await call(getSession);
  if (session) keepAccount(queryClient, session.user);
  else throw redirect({ to: paths.signIn(), search: { to: returnAddress(location.href) } });
}

/** The start page needs no address to return to. */
export function returnAddress(href: string): string | undefined {
  const path = safeReturnPath(href);
  return path === paths.home() ? undefined : path;
}

/** Who is signed in has no business on the screens for signing in. */
export function requireNoAccount({ search }: { search: { to?: string | undefined } }): void {
  if (rememberedAccount()) throw redirect({ href: safeReturnPath(search.to) });
}

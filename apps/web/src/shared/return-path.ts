import { paths } from './paths.ts';

/**
 * Where to go after signing in. Only a path of this panel is taken: a link to the sign-in screen
 * must not be able to send anyone elsewhere.
 */
export function safeReturnPath(to: string | undefined): string {
  if (!to?.startsWith('/')) return paths.home();
  try {
    const { origin, pathname, search, hash } = new URL(to, location.origin);
    const isOwn = origin === location.origin && pathname !== paths.signIn();
    return isOwn ? pathname + search + hash : paths.home();
  } catch {
    return paths.home();
  }
}

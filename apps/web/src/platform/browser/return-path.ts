import { allScreens } from '#screens/screens.ts';

const noReturn: readonly string[] = allScreens
  .filter(({ isTransient }) => isTransient)
  .map(({ path }) => path);

/**
 * The path to open after signing in, '/' if `to` is not a path of this panel: a link to the sign-in
 * screen must not redirect to another site.
 */
export function safeReturnPath(to: string | undefined): string {
  if (!to?.startsWith('/')) return '/';
  try {
    const { origin, pathname, search, hash } = new URL(to, location.origin);
    return origin === location.origin && isScreen(pathname) ? pathname + search + hash : '/';
  } catch {
    // The text is not a URL, or cannot be decoded.
    return '/';
  }
}

/** Compares the path as browser and router do: decoded, ignoring case and trailing slashes. */
function isScreen(pathname: string): boolean {
  const path = decodeURIComponent(pathname);
  // Two slashes start another host, even after normalization: `/.//host`, `/%2Fhost`.
  if (/^[/\\]{2}/.test(path)) return false;
  return !noReturn.includes(path.toLowerCase().replace(/\/+$/, ''));
}

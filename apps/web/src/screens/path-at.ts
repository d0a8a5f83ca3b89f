/** What stands for `$id`: digits, or letters of which no screen's own name consists. */
const ID = '[\\da-f-]+';

/**
 * The one of the given paths that an address leads to. As the router does, it ignores case and a slash at the
 * end, and prefers a name that is written out to an id. The first script of a page uses it, so it imports nothing.
 */
export function pathAt<Path extends string>(
  pathname: string,
  paths: readonly Path[],
): Path | undefined {
  const address = pathname.toLowerCase().replace(/(.)\/$/, '$1');
  return (
    paths.find((path) => path === address) ??
    paths.find((path) => new RegExp(`^${path.replace('$id', ID)}$`).test(address))
  );
}

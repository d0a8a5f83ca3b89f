/**
 * An id in an address: hexadecimal digits and dashes, of which no screen's own name before an id
 * consists.
 */
const ID = /\/[\da-f-]+(?=\/|$)/g;

/**
 * The one of the given paths that an address leads to. As the router does, it ignores case and a slash at the
 * end, and prefers a name that is written out to an id. The first script of a page uses it, so it imports nothing,
 * and so does every row of a list, so it is quick.
 */
export function pathAt<Path extends string>(
  pathname: string,
  paths: readonly Path[],
): Path | undefined {
  const address = pathname.toLowerCase().replace(/(.)\/$/, '$1');
  const withoutIds = address.replace(ID, '/$id');
  return paths.find((path) => path === address) ?? paths.find((path) => path === withoutIds);
}

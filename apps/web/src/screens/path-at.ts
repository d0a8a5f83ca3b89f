/** An id in an address: hexadecimal digits and dashes, of which no screen's own name before an id consists. */
const ID = /\/[\da-f-]+(?=\/|$)/g;

/**
 * The path among these to which an address leads. Like the router, it ignores case and a slash at
 * the end, and prefers a screen's own name to an id. The first script of a page uses it, so it
 * imports nothing, and every row of a list uses it, so it is fast.
 */
export function pathAt<Path extends string>(
  pathname: string,
  paths: readonly Path[],
): Path | undefined {
  const address = pathname.toLowerCase().replace(/(.)\/$/, '$1');
  const withoutIds = address.replace(ID, '/$id');
  return paths.find((path) => path === address) ?? paths.find((path) => path === withoutIds);
}

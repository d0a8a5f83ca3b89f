import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { resolveTarget } from './atomic-write.ts';

export type Places = ReturnType<typeof rememberPlaces>;

/**
 * Undefined if it cannot be resolved, for example behind an unmounted folder; a later write reports
 * why.
 */
function placeOf(path: string): string | undefined {
  try {
    return resolveTarget(path);
  } catch {
    return undefined;
  }
}

/**
 * Remembers the resolved location of each file. A card server reads its file there, so if a link
 * was removed, a regular file in its place would never be read. A file that does not exist yet may
 * still become a link until it is first written.
 */
export function rememberPlaces(dir: string, fileNames: string[]) {
  const known = new Map<string, string>();
  for (const name of fileNames) {
    const path = join(dir, name);
    const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    const place = exists ? placeOf(path) : undefined;
    if (place !== undefined) known.set(name, place);
  }

  return {
    /** Records the location of a file at its first write. */
    remember(name: string, place: string): void {
      if (!known.has(name)) known.set(name, place);
    },

    /**
     * False if a file now resolves to another location. A file without a link may be recreated in
     * place.
     */
    areKept(): boolean {
      return [...known].every(([name, place]) => {
        const now = placeOf(join(dir, name));
        return now === undefined || now === place;
      });
    },
  };
}

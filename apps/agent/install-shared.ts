import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The text of a script that installs something, with the functions that such scripts share in place of the line that
 * reads them.
 */
export function withShared(file: string): string {
  const shared = readFileSync(join(import.meta.dirname, 'install-shared.sh'), 'utf8').trimEnd();
  return readFileSync(file, 'utf8').replace(/^\. .* # @SHARED@$/m, () => shared);
}

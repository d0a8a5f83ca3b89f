import { hasAnsweredRecently } from '#platform/browser/connection.ts';
import { isBuildKept } from '#platform/browser/kept-build.ts';
import { send, unreachable } from './client.ts';

let asking: Promise<void> | undefined;

async function ask(): Promise<void> {
  const { ok } = await send('/favicon.svg', { method: 'HEAD', cache: 'no-store' });
  if (!ok) throw unreachable();
}

/**
 * Rejects if code and texts cannot be fetched. Call before importing any: browsers remember a failed
 * import until the page is reloaded.
 */
export function reachPanel(): Promise<void> {
  if (isBuildKept()) return Promise.resolve();
  if (hasAnsweredRecently()) return Promise.resolve();
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

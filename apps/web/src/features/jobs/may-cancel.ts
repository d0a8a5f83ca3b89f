import type { Job } from '@linekeeper/contract/lines/bulk.ts';

/** An import runs in one transaction, so it cannot be cancelled once it has started. */
export function mayCancel({ action, state }: Job): boolean {
  return state === 'queued' || (state === 'running' && action !== 'import');
}

import type { Job } from '@linekeeper/contract/bulk.ts';
import type { BulkBody } from '../../shared/jobs/queries.ts';

/** The same for some of its lines; null for what cannot be done again from what is kept of it. */
export function repeatedFor({ action, term }: Job, ids: string[]): BulkBody | null {
  if (ids.length === 0 || action === 'import' || action === 'undo' || action === 'export') {
    return null;
  }
  return { ...term, action, ids };
}

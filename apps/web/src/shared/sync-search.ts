import { pushStates } from '@linekeeper/contract/sync.ts';
import * as z from 'zod';

/** What the address of the sync screen may say; a part that makes no sense is dropped. */
export const syncSearch = z.object({
  state: z.enum(pushStates).optional().catch(undefined),
  server: z.string().max(40).optional().catch(undefined),
});
export type SyncSearch = z.output<typeof syncSearch>;

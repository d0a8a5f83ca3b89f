import { lineStatuses, syncStates } from '@linekeeper/contract/lines.ts';
import * as z from 'zod';

export const pageSizes = [25, 50, 100] as const;
export const lineOrders = [
  'added_date',
  '-added_date',
  'expiry_date',
  '-expiry_date',
  'username',
  '-username',
] as const;

/**
 * What the address of the list of lines may say. A part that makes no sense is dropped, so that
 * an old or mistyped link still opens the list.
 */
export const linesSearch = z.object({
  q: z.coerce.string().max(100).optional().catch(undefined),
  status: z.enum(lineStatuses).optional().catch(undefined),
  server: z.string().max(40).optional().catch(undefined),
  owner: z.string().max(40).optional().catch(undefined),
  /** Days as "7d". */
  expires: z
    .string()
    .regex(/^\d{1,5}d$/)
    .optional()
    .catch(undefined),
  trial: z.boolean().optional().catch(undefined),
  sync: z.enum(syncStates).optional().catch(undefined),
  sort: z.enum(lineOrders).optional().catch(undefined),
  cursor: z.string().max(500).optional().catch(undefined),
  size: z.literal(pageSizes).optional().catch(undefined),
  /** The job that is shown over the list, or 'recent' for the list of jobs. */
  job: z.string().max(40).optional().catch(undefined),
});
export type LinesSearch = z.output<typeof linesSearch>;

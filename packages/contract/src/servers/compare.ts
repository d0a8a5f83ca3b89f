import * as z from 'zod';
import { endpoint, entity } from '../endpoint.ts';
import { exactText, yesOrNo } from '../fields/fields.ts';
import { findingReply } from '../findings.ts';
import { ofServer } from './choices.ts';

/** Maximum number of differences listed for each kind; the counts are complete. */
export const MAX_NAMED_DIFFERENCES = 200;

const differences = <Item extends z.ZodType>(item: Item) =>
  z.object({ count: z.number().int(), items: z.array(item) });

export const comparison = entity('ServerComparison', {
  offered: z.boolean(),
  /** The reason why comparing is impossible; null if it was done. */
  ...findingReply,
  /** Number of lines that are equal on both sides; a suspended line is absent on the server. */
  same: z.number().int(),
  due: z.number().int(),
  missing: differences(z.string()),
  different: differences(
    z.object({
      username: z.string(),
      expiry_date: z.string(),
      on_server: z.string().nullable(),
    }),
  ),
  suspended: differences(z.string()),
  unknown: differences(z.string()),
  by_hand: differences(z.string()),
  /** Accounts, not among `unknown`, whose mark names a line that this panel never had. */
  other_panel: differences(z.string()),
  elsewhere: z.array(
    z.object({ id: z.string(), server_name: z.string(), accounts: z.number().int() }),
  ),
  new_group: z.string().nullable(),
});
export type Comparison = z.output<typeof comparison>;

export const compareServer = endpoint('compareServer', 'GET /api/servers/{id}/compare', {
  ...ofServer,
  hasLongStatements: true,
  summary: 'Compare a card server with the panel',
  description:
    'Compares the accounts that the server lists with the lines of the panel. The server must offer `GET /users`.',
  output: comparison,
});

export const mendServer = endpoint('mendServer', 'POST /api/servers/{id}/mend', {
  ...ofServer,
  hasLongStatements: true,
  summary: 'Restore the accounts of a card server',
  description:
    'Queues the accounts that differ, or all of them if that cannot be known. With `username`, it queues only that account. Unknown accounts are removed only if you ask for it.',
  body: z.object({
    remove_unknown: yesOrNo.default(false),
    /** The name as the server has it, so it is not trimmed. */
    username: exactText(200).min(1, { error: 'REQUIRED' }).optional(),
  }),
  output: z.object({ queued: z.number().int(), removed: z.number().int() }),
});

import * as z from 'zod';
import { endpoint, entity } from '../endpoint.ts';
import { findingReply } from '../findings.ts';
import { ofServer } from './choices.ts';

/** Reasons for which a card server's agent leaves an operator's row to the operator. */
export const takeOverReasons = [
  'password_differs',
  'switched_off',
  'no_row',
  'twice',
  'shares_first_20',
] as const;
export type TakeOverReason = (typeof takeOverReasons)[number];

/** Maximum number of refused rows listed; the count is complete. */
export const MAX_NAMED_REFUSALS = 200;

const takenOver = entity('TakenOver', {
  taken: z.number().int(),
  refused: z.object({
    count: z.number().int(),
    items: z.array(z.object({ username: z.string(), reason: z.enum(takeOverReasons) })),
  }),
  /** The reason why the server was not asked about all rows; null if it was. */
  ...findingReply,
});
export type TakenOver = z.output<typeof takenOver>;

export const takeOverRows = endpoint('takeOverRows', 'POST /api/servers/{id}/take-over', {
  ...ofServer,
  hasLongStatements: true,
  summary: 'Take over rows that an operator wrote',
  description: 'Has the agent take over the rows in its files that match lines of this server.',
  output: takenOver,
});

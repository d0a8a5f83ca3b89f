import * as z from 'zod';
import { endpoint, entity } from '../endpoint.ts';
import { id, invalid, moment, yesOrNo } from '../fields/fields.ts';
import { findingReply, optionalFinding, sync } from '../findings.ts';
import { listOf } from '../lists/list.ts';
import { pushesList, pushStates } from '../lists/lists.ts';
import { pushOperations } from '../push-operations.ts';

/** A change that a card server has not applied yet. */
export const push = entity('Push', {
  id: z.string(),
  server_id: z.string(),
  server_name: z.string(),
  username: z.string(),
  operation: z.enum(pushOperations),
  state: z.enum(pushStates),
  attempts: z.number().int(),
  next_try_at: moment,
  ...findingReply,
  updated_at: moment,
});
export type Push = z.output<typeof push>;

export const listPushes = endpoint('listPushes', 'GET /api/sync', {
  summary: 'List changes that card servers have not accepted',
  description: 'Lists pending and failed changes, by username.',
  access: 'admin',
  ...listOf(pushesList, push),
});

export const retryPushes = endpoint('retryPushes', 'POST /api/sync/retry', {
  summary: 'Retry changes that card servers have not accepted',
  description:
    'Retries the changes with these `ids`, or `all` of them. If you name one, `sync` in the response is its result.',
  access: 'admin',
  body: z.object({
    ids: z.array(id('INVALID_VALUE'), invalid).max(1000, invalid).optional(),
    all: yesOrNo.optional(),
  }),
  output: z.object({
    retried: z.number().int(),
    /** Result of the push if the call named exactly one that was still due; null otherwise. */
    sync: sync.nullable(),
    sync_finding: optionalFinding,
  }),
  errors: ['REQUIRED'],
});

import * as z from 'zod';
import { endpoint, listQuery, page } from './endpoint.ts';
import { id, moment, serverId } from './fields.ts';

export const pushOperations = ['add', 'edit', 'renew', 'delete'] as const;

/** Never tried, or tried in vain. */
export const pushStates = ['pending', 'failed'] as const;

/** A change that a card server has not taken yet. */
export const push = z
  .object({
    id: z.string(),
    server_id: z.string(),
    server_name: z.string(),
    username: z.string(),
    operation: z.enum(pushOperations),
    state: z.enum(pushStates),
    attempts: z.number().int(),
    next_try_at: moment,
    message: z.string().nullable(),
    updated_at: moment,
  })
  .meta({ id: 'Push' });
export type Push = z.output<typeof push>;

export const listPushes = endpoint({
  name: 'listPushes',
  method: 'GET',
  path: '/api/sync',
  summary: 'What card servers have not taken yet',
  access: 'admin',
  query: listQuery(['next_try_at', 'username'], 'next_try_at', {
    state: z.enum(pushStates).optional(),
    server_id: serverId.optional(),
  }),
  output: page(push),
});

export const MAX_RETRIED_IDS = 1000;

export const retryPushes = endpoint({
  name: 'retryPushes',
  method: 'POST',
  path: '/api/sync/retry',
  summary: 'Try what card servers have not taken again now',
  access: 'admin',
  body: z.object({
    ids: z
      .array(id('INVALID_VALUE'), { error: 'INVALID_VALUE' })
      .max(MAX_RETRIED_IDS, { error: 'INVALID_VALUE' })
      .optional(),
    all: z.boolean({ error: 'INVALID_VALUE' }).optional(),
  }),
  output: z.object({ retried: z.number().int() }),
  errors: ['REQUIRED'],
});

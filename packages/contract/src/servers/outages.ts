import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { moment } from '../fields/fields.ts';

export const listOutages = endpoint({
  name: 'listOutages',
  method: 'GET',
  path: '/api/servers/outages',
  summary: 'List servers with your lines that do not answer',
  description: 'Each with the number of changes that wait for it.',
  access: ['view_users'],
  output: z.object({
    items: z.array(
      z.object({
        server_id: z.string(),
        server_name: z.string(),
        since: moment,
        /** Number of lines on it that the caller sees. */
        lines: z.number().int(),
        /** Number of these lines with a change that the server has not got. */
        waiting: z.number().int(),
      }),
    ),
  }),
});

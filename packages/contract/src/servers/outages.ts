import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { moment } from '../fields/fields.ts';

export const listOutages = endpoint('listOutages', 'GET /api/servers/outages', {
  summary: 'List servers with your lines that are not responding',
  description: 'Each server has the number of changes that are pending for it.',
  access: ['view_users'],
  output: z.object({
    items: z.array(
      z.object({
        server_id: z.string(),
        server_name: z.string(),
        since: moment,
        /** Number of lines on the server that the caller sees. */
        lines: z.number().int(),
        /** Number of these lines with a change that the server does not have. */
        waiting: z.number().int(),
      }),
    ),
  }),
});

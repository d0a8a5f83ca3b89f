import { endpoint } from '@linekeeper/contract/endpoint.ts';
import { ofServer } from '@linekeeper/contract/servers/choices.ts';
import * as z from 'zod';
import { callQuery } from '#platform/api/call-query.ts';

const rightsChoices = endpoint('rightsChoices', 'GET /api/servers/{id}/rights-choices', {
  ...ofServer,
  summary: 'List groups and services',
  output: z.object({
    groups: z.array(z.object({ group: z.number().int(), readers: z.number().int() })).nullable(),
    services: z.array(z.string()).nullable(),
    read_at: z.string().nullable(),
  }),
});

/** Groups and services that the card server has; null for what it does not tell. */
export const rightsChoicesQuery = (id: string) =>
  callQuery('servers', rightsChoices, { params: { id }, retry: false });

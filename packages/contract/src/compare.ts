import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { serverId } from './fields.ts';

const params = z.object({ id: serverId });

/** Of each kind of difference so many are named; all are counted. */
export const MAX_NAMED_DIFFERENCES = 200;

const differences = <Item extends z.ZodType>(item: Item) =>
  z.object({ count: z.number().int(), items: z.array(item) });

export const comparison = z
  .object({
    /** Whether the server has a list of its users to compare with. */
    offered: z.boolean(),
    /** Why there is nothing to compare, null where there is. */
    message: z.string().nullable(),
    /** Lines that are as they should be. */
    same: z.number().int(),
    /** Changes on their way: not compared. */
    due: z.number().int(),
    /** Lines that the server does not have. */
    missing: differences(z.string()),
    /** Lines with another expiry date on the server. */
    different: differences(
      z.object({
        username: z.string(),
        expiry_date: z.string(),
        on_server: z.string().nullable(),
      }),
    ),
    /** Users on the server that are no lines. */
    unknown: differences(z.string()),
  })
  .meta({ id: 'ServerComparison' });
export type Comparison = z.output<typeof comparison>;

export const compareServer = endpoint({
  name: 'compareServer',
  method: 'GET',
  path: '/api/servers/{id}/compare',
  summary: 'Compare what a card server has with the lines on it, where it offers GET /users',
  access: 'admin',
  params,
  output: comparison,
  errors: ['SERVER_NOT_FOUND'],
});

export const mendServer = endpoint({
  name: 'mendServer',
  method: 'POST',
  path: '/api/servers/{id}/mend',
  summary: 'Deliver again what differs; unknown users are removed only where asked for',
  access: 'admin',
  params,
  body: z.object({ remove_unknown: z.boolean({ error: 'INVALID_VALUE' }).default(false) }),
  output: z.object({ delivered: z.number().int(), removed: z.number().int() }),
  errors: ['SERVER_NOT_FOUND'],
});

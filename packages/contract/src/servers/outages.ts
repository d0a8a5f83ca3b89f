import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { moment } from '../fields/fields.ts';
import { finding } from '../findings.ts';

/** Minutes for which a server that responds again is still listed. */
export const OVER_MINUTES = 10;

const outage = z.object({
  server_id: z.string(),
  server_name: z.string(),
  since: moment,
  no_access: z.boolean(),
  port_answers: z.boolean().nullable(),
  /** The cause of the outage; null except for administrators. */
  finding: finding.nullable(),
  /** Number of lines on the server that the caller sees. */
  lines: z.number().int(),
  /** Number of accounts that own these lines. */
  accounts: z.number().int(),
  waiting: z.number().int(),
  /**
   * Time of the last message about this outage to the accounts with lines on the server; null
   * before the first one, and for all but administrators.
   */
  told_at: moment.nullable(),
});

const pastOutage = outage
  .pick({ server_id: true, server_name: true, since: true, no_access: true, waiting: true })
  .extend({ over_since: moment, sent: z.number().int() });
export type PastOutage = z.output<typeof pastOutage>;

export const listOutages = endpoint('listOutages', 'GET /api/servers/outages', {
  summary: 'List servers with your lines that are not responding',
  description:
    'Lists each server with the number of changes that are pending for it. A server that responds again stays in the list for 10 minutes.',
  access: ['view_users'],
  output: z.object({
    items: z.array(outage),
    /** Number of accounts that own lines on any of these servers. */
    accounts: z.number().int(),
    new_sales_server: z.string().nullable(),
    over: z.array(pastOutage),
  }),
});
export type Outage = z.output<typeof outage>;
export type Outages = z.output<typeof listOutages.output>;

import * as z from 'zod';
import { endpoint, ofRecord } from '../endpoint.ts';
import { arrayOf, serverId } from '../fields/fields.ts';
import { serverStatuses } from '../lists/lists.ts';

/** Fields from which sellers choose a server. They are in a separate file, because every page of sellers loads them. */

export const serverProtocols = ['CCcam', 'NewCamd'] as const;

/** Options that calls about one card server share. */
export const ofServer = ofRecord('admin', 'SERVER_NOT_FOUND', serverId);

export const storedPorts = z.array(
  z.object({ port: z.number().int(), caid: z.string(), provid: z.string().optional() }),
);

export const serverChoices = endpoint('serverChoices', 'GET /api/servers/choices', {
  summary: 'List the servers that you may sell on',
  description:
    'Lists the servers, newest first. `takes_no_lines` is the reason if one takes no new lines.',
  access: ['view_users'],
  output: arrayOf({
    id: z.string(),
    server_name: z.string(),
    status: z.enum(serverStatuses),
    /**
     * The address that customers enter, as host:port; null for readers who are not administrators, because only
     * administrators move lines.
     */
    host_port: z.string().nullable(),
    protocol: z.enum(serverProtocols),
    /** Key and ports that customers enter; null and empty for readers who are not administrators. */
    des_key: z.string().nullable(),
    newcamd_ports: storedPorts,
    takes_no_lines: z.enum(['closed', 'full']).nullable(),
  }),
});

export const serverAddress = endpoint('serverAddress', 'GET /api/config.php', {
  summary: 'Get the address of the newest active card server',
  description: 'Returns the host and the API port, without the password.',
  access: ['view_users'],
  output: z.object({ host_ip: z.string(), api_port: z.number().int() }),
  errors: ['SERVER_NOT_FOUND'],
});

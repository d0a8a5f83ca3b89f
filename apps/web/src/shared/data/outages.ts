import { listOutages } from '@linekeeper/contract/servers/outages.ts';
import { callQuery } from '../api/call-query.ts';

/** A change of a server or of a line makes it stale. */
export const outagesQuery = () => callQuery('servers', listOutages);

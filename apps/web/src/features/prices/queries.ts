import { listPlans } from '@linekeeper/contract/credits/plans.ts';
import { listPriceLists } from '@linekeeper/contract/credits/price-lists.ts';
import { listServers, rightsChoices } from '@linekeeper/contract/servers/servers.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const plansQuery = () => callQuery('credits', listPlans);

export const priceListsQuery = () => callQuery('credits', listPriceLists);

/** The query of servers, of which it fetches more than a plan can have. */
export const serversQuery = () => callQuery('servers', listServers, { query: { limit: 100 } });

/** The query of the groups and services of a card server; null for a part that the server does not report. */
export const rightsChoicesQuery = (id: string) =>
  callQuery('servers', rightsChoices, { params: { id }, retry: false });

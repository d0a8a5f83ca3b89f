import { listPlans } from '@linekeeper/contract/credits/plans.ts';
import { listPriceLists } from '@linekeeper/contract/credits/price-lists.ts';
import { listServers, rightsChoices } from '@linekeeper/contract/servers/servers.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const plansQuery = () => callQuery('credits', listPlans);

export const priceListsQuery = () => callQuery('credits', listPriceLists);

/** As many servers as a plan can have, and more. */
export const serversQuery = () => callQuery('servers', listServers, { query: { limit: 100 } });

/** Groups and services that a card server has; null for what it does not tell. */
export const rightsChoicesQuery = (id: string) =>
  callQuery('servers', rightsChoices, { params: { id }, retry: false });

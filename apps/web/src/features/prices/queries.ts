import { listPlans } from '@linekeeper/contract/credits/plans.ts';
import { listPriceLists } from '@linekeeper/contract/credits/price-lists.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const plansQuery = () => callQuery('credits', listPlans);

export const priceListsQuery = () => callQuery('credits', listPriceLists);

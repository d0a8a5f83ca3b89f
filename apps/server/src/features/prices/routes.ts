import { listPrices as pricesContract } from '@linekeeper/contract/accounts/accounts.ts';
import * as plans from '@linekeeper/contract/credits/plans.ts';
import * as lists from '@linekeeper/contract/credits/price-lists.ts';
import { readPriceLists } from '../../domain/credits/price-lists.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { createPriceList, deletePriceList, editPlan, editPriceList } from './save-prices.ts';
import { listPrices, readPlans } from './store.ts';

export const priceRoutes = [
  route(pricesContract, listPrices),
  route(plans.listPlans, async ({ db }) => ({ items: await readPlans(db) })),
  route(plans.editPlan, editPlan),
  route(lists.listPriceLists, async ({ db, actor }) => ({
    items: await readPriceLists(db, actor),
  })),
  route(lists.createPriceList, createPriceList),
  route(lists.editPriceList, editPriceList),
  route(lists.deletePriceList, deletePriceList),
];

import { listPrices as pricesContract } from '@linekeeper/contract/accounts/accounts.ts';
import * as plans from '@linekeeper/contract/credits/plans.ts';
import * as lists from '@linekeeper/contract/credits/price-lists.ts';
import { readPriceLists } from '../../domain/credits/price-lists.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { createPlan, deletePlan, editPlan } from './save-plans.ts';
import { createPriceList, deletePriceList, editPriceList } from './save-prices.ts';
import { listPlans, listPrices } from './store.ts';

export const priceRoutes = [
  route(pricesContract, listPrices),
  route(plans.listPlans, listPlans),
  route(plans.createPlan, createPlan),
  route(plans.editPlan, editPlan),
  route(plans.deletePlan, deletePlan),
  route(lists.listPriceLists, async ({ db, actor }) => ({
    items: await readPriceLists(db, actor),
  })),
  route(lists.createPriceList, createPriceList),
  route(lists.editPriceList, editPriceList),
  route(lists.deletePriceList, deletePriceList),
];

import { topUpsList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { accountKeeper } from './account-screens.ts';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';

export const paymentScreens = {
  pricing: {
    path: '/payments/pricing',
    index: ['/payments'],
    access: 'account',
    title: 'nav.pricing',
    menuText: 'nav.pricing',
    placeText: 'nav.pricing',
    texts: ['topUps'],
  },
  topUps: {
    path: '/payments/top-ups',
    access: 'account',
    title: 'nav.topUps',
    menuText: 'nav.topUps',
    placeText: 'nav.topUps',
    texts: ['topUps'],
    search: addressOf(topUpsList),
  },
  prices: {
    path: '/payments/plans',
    access: accountKeeper,
    title: 'nav.prices',
    menuText: 'nav.prices',
    placeText: 'nav.prices',
    texts: ['prices'],
    search: z.object({
      // The open tab; by default the panel's prices, or for sellers their lists.
      tab: z.enum(['plans', 'lists']).optional().catch(undefined),
      /** Id of the plan whose prices are shown; by default the first. */
      plan: z.string().max(40).optional().catch(undefined),
    }),
  },
  addPlan: {
    path: '/payments/plans/add',
    access: 'admin',
    title: 'nav.addPlan',
    placeText: 'nav.addPlan',
    texts: ['prices'],
    parent: 'prices',
  },
  editPlan: {
    path: '/payments/plans/$id',
    access: 'admin',
    title: 'prices:tabs.plans',
    texts: ['prices'],
    parent: 'prices',
  },
} as const satisfies Record<string, Screen>;

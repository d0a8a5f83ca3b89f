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
    // Without one it shows the panel's prices, or to sellers their lists.
    search: z.object({ tab: z.enum(['lists']).optional().catch(undefined) }),
  },
} as const satisfies Record<string, Screen>;

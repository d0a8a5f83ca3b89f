import { topUpsList } from '@linekeeper/contract/lists/lists.ts';
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
} as const satisfies Record<string, Screen>;

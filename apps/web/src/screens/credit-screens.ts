import {
  activationCodesList,
  redeemCodesList,
  redemptionsList,
  transfersList,
} from '@linekeeper/contract/lists/lists.ts';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';

export const creditScreens = {
  redeemCode: {
    path: '/redeem-code',
    access: 'account',
    isHiddenFromAdmins: true,
    title: 'nav.redeemCode',
    menuText: 'nav.redeemCode',
    placeText: 'nav.redeemCode',
    texts: ['redeem'],
    highlights: ['redeemCodes'],
    search: addressOf(redemptionsList),
  },
  redeemCodes: {
    path: '/redeem-codes',
    access: 'admin',
    title: 'nav.redeemCodes',
    menuText: 'nav.redeemCodes',
    placeText: 'nav.redeemCodes',
    texts: ['redeem', 'redeemCodes'],
    search: addressOf(redeemCodesList),
  },
  addRedeemCodes: {
    path: '/redeem-codes/add',
    access: 'admin',
    title: 'nav.addCodes',
    placeText: 'nav.addCodes',
    texts: ['redeemCodes'],
    parent: 'redeemCodes',
  },
  activationCodes: {
    path: '/activation-codes',
    access: ['view_users'],
    title: 'nav.activationCodes',
    menuText: 'nav.activationCodes',
    placeText: 'nav.activationCodes',
    texts: ['activationCodes', 'redeemCodes'],
    search: addressOf(activationCodesList),
  },
  activate: {
    path: '/activate',
    access: 'public',
    isTransient: true,
    title: 'activate:title',
    texts: ['activate', 'frame'],
  },
  credits: {
    path: '/credits',
    access: 'account',
    title: 'nav.credits',
    menuText: 'nav.credits',
    placeText: 'nav.credits',
    texts: ['credits', 'activity'],
    search: addressOf(transfersList),
  },
} as const satisfies Record<string, Screen>;

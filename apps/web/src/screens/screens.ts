import {
  accountsList,
  auditList,
  groupsList,
  redeemCodesList,
  redemptionsList,
  serversList,
  transfersList,
} from '@linekeeper/contract/lists/lists.ts';
import { accountSearch } from './account-search.ts';
import { addressOf } from './address.ts';
import { articleScreens } from './article-screens.ts';
import { linesSearch } from './lines-search.ts';
import { messageScreens } from './message-screens.ts';
import { paymentScreens } from './payment-screens.ts';
import { sampleScreens } from './sample-screens.ts';
import type { Screen } from './screen.ts';
import { supportScreens } from './support-screens.ts';
import { syncSearch } from './sync-search.ts';
import { ticketScreens } from './ticket-screens.ts';
import { visitorScreens } from './visitor-screens.ts';

const seller = ['view_users'] as const;
const accountViewer = ['add_credits', 'manage_resellers', 'view_resellers'] as const;
const accountKeeper = ['add_credits', 'manage_resellers'] as const;
const groupViewer = ['view_groups', 'manage_groups'] as const;

/**
 * The register of all screens, read by the router, links, navigation, palette, titles and route
 * tests. app/pages.ts binds each path to the code of its page.
 */
export const screens = {
  ...visitorScreens,
  notFound: {
    path: '/404',
    access: 'public',
    isPassing: true,
    title: 'notFound.title',
    texts: [],
  },
  home: {
    path: '/',
    access: 'account',
    title: 'dashboard:title',
    menuText: 'nav.dashboard',
    placeText: 'pages.dashboard',
    texts: ['dashboard'],
  },
  lines: {
    path: '/users/all',
    index: ['/users'],
    access: seller,
    title: 'lines:title',
    menuText: 'nav.allLines',
    placeText: 'pages.lines',
    texts: ['lines'],
    search: linesSearch,
  },
  addLine: {
    path: '/users/add',
    access: seller,
    title: 'lines:addLine',
    menuText: 'nav.addLine',
    placeText: 'pages.addLine',
    texts: ['lines'],
    under: 'lines',
  },
  editLine: {
    path: '/users/edit/$id',
    access: seller,
    title: 'lines:edit.title',
    texts: ['lines'],
    under: 'lines',
  },
  importLines: {
    path: '/users/import',
    access: seller,
    title: 'bulk:import.title',
    texts: ['lines', 'bulk'],
    under: 'lines',
  },
  resellers: {
    path: '/resellers',
    access: 'admin',
    title: 'accounts:title',
    menuText: 'nav.manageResellers',
    placeText: 'pages.resellers',
    texts: ['accounts', 'groups'],
    search: addressOf(accountsList),
  },
  addAccount: {
    path: '/resellers/add',
    access: 'admin',
    title: 'accounts:addAccount',
    placeText: 'pages.addAccount',
    texts: ['accounts', 'groups'],
    under: 'resellers',
  },
  myAccounts: {
    path: '/accounts',
    access: accountViewer,
    isForOthersThanAdmins: true,
    title: 'accounts:mine',
    menuText: 'nav.myAccounts',
    ofAll: { access: ['view_resellers', 'manage_resellers'], menuText: 'nav.allAccounts' },
    placeText: 'pages.myAccounts',
    texts: ['accounts'],
    lights: ['resellers'],
    search: addressOf(accountsList),
  },
  addOwnAccount: {
    path: '/accounts/add',
    access: accountKeeper,
    isForOthersThanAdmins: true,
    title: 'accounts:addAccount',
    placeText: 'pages.addAccount',
    texts: ['accounts'],
    under: 'myAccounts',
  },
  account: {
    path: '/accounts/$id',
    access: accountViewer,
    title: 'account:title',
    texts: ['accounts', 'account', 'activity'],
    lights: ['resellers', 'myAccounts'],
    search: accountSearch,
  },
  groups: {
    path: '/manage-groups',
    index: ['/groups', '/groups/manage'],
    access: groupViewer,
    isAdministration: true,
    title: 'groups:title',
    menuText: 'nav.manageGroups',
    placeText: 'pages.groups',
    texts: ['groups'],
    search: addressOf(groupsList),
  },
  addGroup: {
    path: '/manage-groups/add',
    access: ['manage_groups'],
    isAdministration: true,
    title: 'groups:addGroup',
    placeText: 'pages.addGroup',
    texts: ['groups'],
    under: 'groups',
  },
  editGroup: {
    path: '/manage-groups/$id',
    access: groupViewer,
    isAdministration: true,
    title: 'groups:editGroup',
    texts: ['groups'],
    under: 'groups',
  },
  redeemCode: {
    path: '/redeem-code',
    access: 'account',
    title: 'redeem:title',
    menuText: 'nav.redeemCode',
    placeText: 'pages.redeemCode',
    texts: ['redeem'],
    search: addressOf(redemptionsList),
  },
  redeemCodes: {
    path: '/redeem-codes',
    access: 'admin',
    title: 'redeemCodes:title',
    menuText: 'nav.redeemCodes',
    placeText: 'pages.redeemCodes',
    texts: ['redeem', 'redeemCodes'],
    search: addressOf(redeemCodesList),
  },
  addRedeemCodes: {
    path: '/redeem-codes/add',
    access: 'admin',
    title: 'redeemCodes:addCodes',
    placeText: 'pages.addCodes',
    texts: ['redeemCodes'],
    under: 'redeemCodes',
  },
  credits: {
    path: '/credits',
    access: 'account',
    title: 'credits:title',
    menuText: 'nav.credits',
    placeText: 'pages.credits',
    texts: ['credits', 'activity'],
    search: addressOf(transfersList),
  },
  ...messageScreens,
  ...paymentScreens,
  ...articleScreens,
  ...ticketScreens,
  ...supportScreens,
  audit: {
    path: '/audit',
    access: 'admin',
    title: 'audit:title',
    menuText: 'nav.audit',
    placeText: 'pages.audit',
    texts: ['audit', 'activity', 'articles', 'messages', 'tickets'],
    search: addressOf(auditList),
  },
  servers: {
    path: '/cccam-servers/manage',
    index: ['/cccam-servers'],
    access: 'admin',
    title: 'servers:title',
    menuText: 'nav.manageServers',
    placeText: 'pages.servers',
    texts: ['servers'],
    search: addressOf(serversList),
  },
  addServer: {
    path: '/cccam-servers/add',
    access: 'admin',
    title: 'servers:addServer',
    menuText: 'nav.addServer',
    placeText: 'pages.addServer',
    texts: ['servers'],
    under: 'servers',
  },
  editServer: {
    path: '/cccam-servers/edit/$id',
    access: 'admin',
    title: 'servers:editServer',
    texts: ['servers'],
    under: 'servers',
  },
  checkServers: {
    path: '/cccam-servers/check',
    access: 'admin',
    title: 'servers:check.title',
    menuText: 'nav.checkServers',
    placeText: 'pages.checkServers',
    texts: ['servers'],
    under: 'servers',
  },
  serverHealth: {
    path: '/cccam-servers/health/$id',
    access: 'admin',
    title: 'servers:health.title',
    texts: ['servers'],
    under: 'checkServers',
  },
  testApi: {
    path: '/cccam-servers/test-api',
    access: 'admin',
    title: 'servers:call.title',
    menuText: 'nav.testApi',
    placeText: 'pages.testApi',
    texts: ['servers'],
    under: 'servers',
  },
  sync: {
    path: '/cccam-servers/sync',
    access: 'admin',
    title: 'sync:title',
    menuText: 'nav.sync',
    placeText: 'pages.sync',
    texts: ['servers', 'sync'],
    under: 'servers',
    search: syncSearch,
  },
  ...sampleScreens,
  profile: {
    path: '/profile/edit',
    access: 'account',
    title: 'profile:title',
    placeText: 'pages.profile',
    texts: ['profile', 'twoFactor'],
  },
  settings: {
    path: '/settings',
    access: 'account',
    title: 'settings:title',
    placeText: 'pages.settings',
    texts: ['settings'],
  },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;
export type ScreenPath = (typeof screens)[ScreenName]['path'];
export type AnyScreen = Screen & {
  path: ScreenPath;
  under?: ScreenName;
  lights?: readonly ScreenName[];
};

/** The same screens with a common type, in which rarely used properties are optional. */
export const allScreens: readonly AnyScreen[] = Object.values(screens);

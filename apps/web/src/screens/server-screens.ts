import { serversList } from '@linekeeper/contract/lists/lists.ts';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';
import { syncSearch } from './sync-search.ts';

export const serverScreens = {
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
    parent: 'servers',
  },
  editServer: {
    path: '/cccam-servers/edit/$id',
    access: 'admin',
    title: 'servers:editServer',
    texts: ['servers'],
    parent: 'servers',
  },
  checkServers: {
    path: '/cccam-servers/check',
    access: 'admin',
    title: 'servers:check.title',
    menuText: 'nav.checkServers',
    placeText: 'pages.checkServers',
    texts: ['servers'],
    parent: 'servers',
  },
  serverHealth: {
    path: '/cccam-servers/health/$id',
    access: 'admin',
    title: 'servers:health.title',
    texts: ['servers'],
    parent: 'checkServers',
  },
  testApi: {
    path: '/cccam-servers/test-api',
    access: 'admin',
    title: 'servers:call.title',
    menuText: 'nav.testApi',
    placeText: 'pages.testApi',
    texts: ['servers'],
    parent: 'servers',
  },
  sync: {
    path: '/cccam-servers/sync',
    access: 'admin',
    title: 'sync:title',
    menuText: 'nav.sync',
    placeText: 'pages.sync',
    texts: ['servers', 'sync'],
    parent: 'servers',
    search: syncSearch,
  },
} as const satisfies Record<string, Screen>;

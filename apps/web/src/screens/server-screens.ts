import { linesList, serversList, sessionsList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';
import { syncSearch } from './sync-search.ts';

export const serverScreens = {
  servers: {
    path: '/cccam-servers/manage',
    index: ['/cccam-servers', '/cccam-servers/check', '/cccam-servers/test-api'],
    access: 'admin',
    title: 'nav.servers',
    menuText: 'nav.manageServers',
    placeText: 'nav.servers',
    texts: ['servers'],
    search: addressOf(serversList),
  },
  addServer: {
    path: '/cccam-servers/add',
    access: 'admin',
    title: 'nav.addServer',
    menuText: 'nav.addServer',
    placeText: 'nav.addServer',
    texts: ['servers'],
    parent: 'servers',
  },
  server: {
    path: '/cccam-servers/$id',
    access: 'admin',
    title: 'field.server',
    texts: ['servers'],
    parent: 'servers',
    search: z.object({
      /** `again` opens a command that updates the agent or installs it again. */
      agent: z.literal('again').optional().catch(undefined),
    }),
  },
  serverLines: {
    path: '/cccam-servers/$id/lines',
    access: 'admin',
    title: 'field.server',
    texts: ['servers', 'lines'],
    parent: 'servers',
    search: addressOf(linesList),
  },
  serverClients: {
    path: '/cccam-servers/$id/clients',
    access: 'admin',
    title: 'field.server',
    texts: ['servers', 'clients'],
    parent: 'servers',
    search: addressOf(sessionsList),
  },
  serverDifferences: {
    path: '/cccam-servers/$id/differences',
    access: 'admin',
    title: 'field.server',
    texts: ['servers'],
    parent: 'servers',
  },
  serverHealth: {
    path: '/cccam-servers/$id/health',
    // Notifications and emails of earlier versions link to this path.
    index: ['/cccam-servers/health/$id'],
    access: 'admin',
    title: 'field.server',
    texts: ['servers'],
    parent: 'servers',
  },
  editServer: {
    path: '/cccam-servers/$id/edit',
    // The specification demands this path.
    index: ['/cccam-servers/edit/$id'],
    access: 'admin',
    title: 'field.server',
    texts: ['servers'],
    parent: 'servers',
  },
  serverTest: {
    path: '/cccam-servers/$id/test',
    access: 'admin',
    title: 'field.server',
    texts: ['servers'],
    parent: 'servers',
  },
  sync: {
    path: '/cccam-servers/sync',
    access: 'admin',
    title: 'nav.sync',
    placeText: 'nav.sync',
    texts: ['servers', 'sync'],
    parent: 'servers',
    search: syncSearch,
  },
} as const satisfies Record<string, Screen>;

import { linesList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';

export const linesSearch = addressOf(linesList, {
  /** Id of the job shown over the list, or 'recent' for the list of jobs. */
  job: z.string().max(40).optional().catch(undefined),
});

const seller = ['view_users'] as const;

export const lineScreens = {
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
    parent: 'lines',
  },
  editLine: {
    path: '/users/edit/$id',
    access: seller,
    title: 'lines:edit.title',
    texts: ['lines'],
    parent: 'lines',
  },
  importLines: {
    path: '/users/import',
    access: seller,
    title: 'bulk:import.title',
    texts: ['lines', 'bulk'],
    parent: 'lines',
  },
} as const satisfies Record<string, Screen>;

import { linesSearch } from './lines-search.ts';
import type { Screen } from './screen.ts';

const seller = ['view_users'] as const;

/** The rows of the register about the dashboard and lines. */
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
} as const satisfies Record<string, Screen>;

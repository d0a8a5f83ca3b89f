import { linesList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';

export const linesSearch = addressOf(linesList, {
  /** Id of the job shown over the list, or 'recent' for the list of jobs. */
  job: z.string().max(40).optional().catch(undefined),
});

/** The parts of a line's page, by their names in its address. An address without one shows the overview. */
export const lineParts = ['overview', 'usage', 'receiver', 'edit'] as const;
export type LinePart = (typeof lineParts)[number];

/** Search parameters of the line that is open in the panel, on every page. */
export const linePanelSearch = z.object({
  line: z.string().max(40).optional().catch(undefined),
  part: z.enum(lineParts).optional().catch(undefined),
});

const seller = ['view_users'] as const;

export const lineScreens = {
  home: {
    path: '/',
    access: 'account',
    title: 'nav.dashboard',
    menuText: 'nav.dashboard',
    forSellers: { menuText: 'nav.today' },
    placeText: 'nav.dashboard',
    texts: ['dashboard'],
  },
  numbers: {
    path: '/numbers',
    access: seller,
    isHiddenFromAdmins: true,
    title: 'nav.numbers',
    menuText: 'nav.numbers',
    placeText: 'nav.numbers',
    texts: ['dashboard'],
    highlights: ['home'],
  },
  lines: {
    path: '/users/all',
    index: ['/users'],
    access: seller,
    title: 'nav.lines',
    menuText: 'nav.allLines',
    placeText: 'nav.allLines',
    texts: ['lines'],
    search: linesSearch,
  },
  addLine: {
    path: '/users/add',
    access: seller,
    title: 'nav.addLine',
    menuText: 'nav.addLine',
    placeText: 'nav.addLine',
    texts: ['lines'],
    parent: 'lines',
  },
  line: {
    path: '/users/$id',
    access: seller,
    title: 'field.line',
    partIndex: { '/users/edit/$id': { part: 'edit' } },
    texts: ['lines', 'line'],
    parent: 'lines',
  },
  tell: {
    path: '/users/tell/$id',
    access: seller,
    title: 'bulk:tell.heading',
    texts: ['lines', 'bulk'],
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

import type { Screen } from './screen.ts';

/** The rows of the register about the template's sample pages, which stand in no navigation. */
export const sampleScreens = {
  sampleUsers: {
    path: '/user',
    access: 'account',
    title: 'palette:pages.sampleUsers',
    placeText: 'pages.sampleUsers',
    isPlaceOfAdmins: true,
    texts: ['palette'],
  },
  sampleProducts: {
    path: '/products',
    access: 'account',
    title: 'palette:pages.sampleProducts',
    placeText: 'pages.sampleProducts',
    isPlaceOfAdmins: true,
    texts: ['palette'],
  },
  sampleBlog: {
    path: '/blog',
    access: 'account',
    title: 'palette:pages.sampleBlog',
    placeText: 'pages.sampleBlog',
    isPlaceOfAdmins: true,
    texts: ['palette'],
  },
} as const satisfies Record<string, Screen>;

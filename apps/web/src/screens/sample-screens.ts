import type { Screen } from './screen.ts';

/** The screens of the sample pages, which no navigation contains. */
export const sampleScreens = {
  sampleUsers: {
    path: '/user',
    access: 'account',
    title: 'nav.sampleUsers',
    placeText: 'nav.sampleUsers',
    isPlaceOfAdmins: true,
    texts: [],
  },
  sampleProducts: {
    path: '/products',
    access: 'account',
    title: 'nav.sampleProducts',
    placeText: 'nav.sampleProducts',
    isPlaceOfAdmins: true,
    texts: [],
  },
  sampleBlog: {
    path: '/blog',
    access: 'account',
    title: 'nav.sampleBlog',
    placeText: 'nav.sampleBlog',
    isPlaceOfAdmins: true,
    texts: [],
  },
} as const satisfies Record<string, Screen>;

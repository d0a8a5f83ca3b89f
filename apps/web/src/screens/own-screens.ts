import type { Screen } from './screen.ts';

/** The rows of the register about the account that is signed in. */
export const ownScreens = {
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

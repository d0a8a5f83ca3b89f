import type { Screen } from './screen.ts';

export const ownScreens = {
  profile: {
    path: '/profile/edit',
    access: 'account',
    title: 'nav.profile',
    placeText: 'nav.profile',
    texts: ['profile', 'twoFactor'],
  },
  settings: {
    path: '/settings',
    access: 'account',
    title: 'nav.settings',
    placeText: 'nav.settings',
    texts: ['settings'],
  },
} as const satisfies Record<string, Screen>;

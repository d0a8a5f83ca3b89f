import type { Screen } from './screen.ts';

export const ownScreens = {
  profile: {
    path: '/profile/edit',
    access: 'account',
    title: 'profile:title',
    placeText: 'nav.profile',
    texts: ['profile', 'twoFactor'],
  },
  settings: {
    path: '/settings',
    access: 'account',
    title: 'settings:title',
    placeText: 'nav.settings',
    texts: ['settings'],
  },
} as const satisfies Record<string, Screen>;

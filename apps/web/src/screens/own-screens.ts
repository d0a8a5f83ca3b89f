import * as z from 'zod';
import type { Screen } from './screen.ts';

export const ownScreens = {
  profile: {
    path: '/profile/edit',
    access: 'account',
    title: 'nav.profile',
    placeText: 'nav.profile',
    texts: ['profile', 'twoFactor'],
  },
  texts: {
    path: '/profile/texts',
    access: ['view_users'],
    title: 'nav.texts',
    placeText: 'nav.texts',
    texts: ['profile', 'texts'],
    parent: 'profile',
    /** The occasion, such as a reminder, whose text is shown. */
    search: z.object({ kind: z.string().max(20).optional().catch(undefined) }),
  },
  webhooks: {
    path: '/profile/webhooks',
    access: ['view_users'],
    title: 'nav.webhooks',
    placeText: 'nav.webhooks',
    texts: ['profile', 'webhooks'],
    parent: 'profile',
  },
  settings: {
    path: '/settings',
    access: 'account',
    title: 'nav.settings',
    placeText: 'nav.settings',
    texts: ['settings'],
  },
} as const satisfies Record<string, Screen>;

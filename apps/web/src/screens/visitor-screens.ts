import * as z from 'zod';
import type { Screen } from './screen.ts';

export const visitorScreens = {
  signIn: {
    path: '/sign-in',
    access: 'public',
    isForVisitors: true,
    isTransient: true,
    title: 'auth:signIn.title',
    texts: [],
    search: z.object({
      /** Path to open after signing in. */
      to: z.string().max(2000).optional().catch(undefined),
      notice: z.literal('created').optional().catch(undefined),
    }),
  },
  signUp: {
    path: '/sign-up',
    access: 'public',
    isTransient: true,
    title: 'auth:signUp.title',
    texts: [],
  },
  callback: {
    path: '/callback',
    access: 'public',
    isTransient: true,
    title: 'links:callback.confirming',
    texts: ['links'],
    search: z.object({
      token: z.coerce.string().max(2000).optional().catch(undefined),
      error: z.coerce.string().optional().catch(undefined),
    }),
  },
  forgotPassword: {
    path: '/forgot-password',
    access: 'public',
    isTransient: true,
    title: 'auth:forgot.title',
    texts: [],
  },
  resetPassword: {
    path: '/reset-password',
    access: 'public',
    isTransient: true,
    title: 'links:reset.title',
    texts: ['links'],
    search: z.object({
      token: z.coerce.string().max(200).optional().catch(undefined),
      invited: z.boolean().optional().catch(undefined),
    }),
  },
  notFound: {
    path: '/404',
    access: 'public',
    isTransient: true,
    title: 'notFound.title',
    texts: [],
  },
} as const satisfies Record<string, Screen>;

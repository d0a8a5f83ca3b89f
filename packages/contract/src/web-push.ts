import * as z from 'zod';
import { done, endpoint, entity, ofPerson } from './endpoint.ts';
import { id, invalid, moment } from './fields/fields.ts';
import { pushedNotices } from './lists/preferences.ts';

/** Browsers of one account that show its notifications, at most. */
export const MAX_PUSH_SUBSCRIPTIONS = 10;

/** A browser that shows the account's notifications, also while the panel is closed. */
const pushSubscription = entity('PushSubscription', {
  id: z.string(),
  is_current: z.boolean(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  created_at: moment,
});
export type PushSubscription = z.output<typeof pushSubscription>;

const base64url = (characters: number) =>
  z.string(invalid).regex(new RegExp(`^[\\w-]{${characters}}$`), invalid);

export const getPush = endpoint('getPush', 'GET /api/me/push', {
  ...ofPerson,
  summary: 'List the browsers that show your notifications',
  description:
    'Lists the browsers that show your notifications while the panel is closed, with the key that a browser needs to subscribe.',
  output: z.object({
    public_key: z.string(),
    subscriptions: z.array(pushSubscription),
    kinds: z.array(z.enum(pushedNotices)),
  }),
});

export const subscribeToPush = endpoint('subscribeToPush', 'POST /api/me/push', {
  ...ofPerson,
  summary: 'Show your notifications in this browser',
  description:
    'Stores the subscription of the browser that makes the call, as `PushSubscription.toJSON()` returns it. It ends with the session.',
  body: z.object({
    endpoint: z.url({ protocol: /^https$/, ...invalid }).max(2000, { error: 'TOO_LONG' }),
    expirationTime: z.number(invalid).nullish(),
    /** An uncompressed point of P-256 and 16 bytes, as the Push API gives them. */
    keys: z.object({ p256dh: base64url(87), auth: base64url(22) }),
  }),
  output: pushSubscription,
  errors: ['TOO_MANY_PUSH_SUBSCRIPTIONS', 'PUSH_SERVICE_UNREACHABLE'],
});

export const unsubscribeFromPush = endpoint('unsubscribeFromPush', 'DELETE /api/me/push', {
  ...ofPerson,
  summary: 'Stop showing your notifications in a browser',
  description: 'Ends the subscription with this id, or without an id that of this browser.',
  query: z.object({ id: id('INVALID_VALUE').optional() }),
  output: done,
});

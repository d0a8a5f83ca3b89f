import * as z from 'zod';
import { done, endpoint, entity, ofRecord } from './endpoint.ts';
import { id, invalid, moment, requiredText } from './fields/fields.ts';
import { isHost } from './fields/host.ts';
import { unreachableReasons } from './findings.ts';

/** Webhooks of one account, at most. */
export const MAX_WEBHOOKS = 10;
/** Days for which deliveries are kept. */
export const DELIVERIES_KEPT_DAYS = 14;
/** The latest deliveries of a webhook that are listed. */
export const DELIVERIES_LISTED = 100;
/** Hours for which the former secret signs, too, after a rotation. */
export const OLD_SECRET_HOURS = 24;

export const webhookEvents = [
  'line.created',
  'line.renewed',
  'line.expired',
  'line.deleted',
  'top_up.paid',
  'ticket.replied',
  'server.down',
  'server.up',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Scheme and host of an address without a user's name in it. */
const ADDRESS = /^(https?):\/\/(\[[^\]]+\]|[^\s/?#@:\\]+)(?::\d{1,5})?(?:[/?#]\S*)?$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** True for an address with https, or with http on the panel's own machine. */
function isWebhookUrl(text: string): boolean {
  const [, scheme, host = ''] = ADDRESS.exec(text) ?? [];
  return isHost(host) && (scheme === 'https' || LOOPBACK.test(host));
}

const url = requiredText(1000).refine(isWebhookUrl, { error: 'INVALID_WEBHOOK_URL' });
const events = z
  .array(z.enum(webhookEvents, invalid), { error: 'REQUIRED' })
  .min(1, { error: 'REQUIRED' })
  .max(webhookEvents.length, invalid);

export const webhook = entity('Webhook', {
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  created_at: moment,
  old_secret_until: moment.nullable(),
  last_state: z.enum(deliveryStates).nullable(),
});
export type Webhook = z.output<typeof webhook>;

export const webhookDelivery = entity('WebhookDelivery', {
  id: z.string(),
  event: z.enum(webhookEvents),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  created_at: moment,
  tried_at: moment.nullable(),
  next_try_at: moment.nullable(),
  response_code: z.number().int().nullable(),
  response: z.string().nullable(),
  reason: z.enum(unreachableReasons).nullable(),
  ms: z.number().int().nullable(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

const withSecret = webhook.extend({ secret: z.string() });
export type WebhookWithSecret = z.output<typeof withSecret>;

/**
 * Only a signed-in person may create or change a webhook, because it keeps working after the API key of a script has
 * been revoked.
 */
const bySeller = { access: ['view_users'], needsSession: true } as const;
const ofWebhook = { ...ofRecord(['view_users'], 'WEBHOOK_NOT_FOUND'), needsSession: true } as const;

export const listWebhooks = endpoint('listWebhooks', 'GET /api/webhooks', {
  ...bySeller,
  summary: 'List your webhooks',
  description: 'Lists the webhooks of your account, newest first. Their secrets are not included.',
  output: z.object({ items: z.array(webhook) }),
});

export const createWebhook = endpoint('createWebhook', 'POST /api/webhooks', {
  ...bySeller,
  summary: 'Create a webhook',
  description:
    'Creates an address that gets events of your own lines, tickets and top-ups, and of servers with your lines; for administrators, of all. Requests follow the Standard Webhooks convention. Only this response has the secret that signs them.',
  body: z.object({ url, events }),
  status: 201,
  output: withSecret,
  repliesWithSecret: true,
  errors: ['TOO_MANY_WEBHOOKS', 'INVALID_WEBHOOK_URL'],
});

export const editWebhook = endpoint('editWebhook', 'PATCH /api/webhooks/{id}', {
  ...ofWebhook,
  summary: 'Edit a webhook',
  description:
    'Changes the address or the events of a webhook. What is waiting goes to the new address.',
  body: z.object({ url, events }).partial(),
  output: webhook,
  errors: ['INVALID_WEBHOOK_URL'],
});

export const deleteWebhook = endpoint('deleteWebhook', 'DELETE /api/webhooks/{id}', {
  ...ofWebhook,
  summary: 'Delete a webhook',
  description: 'Deletes the webhook with its deliveries. What is waiting is not sent.',
  output: done,
});

export const rotateWebhook = endpoint('rotateWebhook', 'POST /api/webhooks/{id}/rotate', {
  ...ofWebhook,
  summary: 'Rotate the secret of a webhook',
  description:
    'Creates a new secret. For 24 hours requests have two signatures, by the new and by the former secret. Only this response has the new one.',
  output: withSecret,
  repliesWithSecret: true,
});

export const listDeliveries = endpoint('listDeliveries', 'GET /api/webhooks/{id}/deliveries', {
  ...ofWebhook,
  summary: 'List deliveries',
  description:
    'Lists the latest 100 deliveries of a webhook, newest first, each with its last attempt. Deliveries are kept for 14 days.',
  output: z.object({ items: z.array(webhookDelivery) }),
});

export const redeliver = endpoint(
  'redeliver',
  'POST /api/webhooks/{id}/deliveries/{delivery}/redeliver',
  {
    ...ofWebhook,
    params: ofWebhook.params.extend({ delivery: id('NOT_FOUND') }),
    summary: 'Send a delivery again',
    description:
      'Sends a delivery again with the same `webhook-id`, as if it were new. One that is waiting is sent at once.',
    output: done,
    errors: ['NOT_FOUND'],
  },
);

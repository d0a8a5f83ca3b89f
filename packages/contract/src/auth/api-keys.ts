import * as z from 'zod';
import { done, endpoint, entity, ofPerson, ofRecord } from '../endpoint.ts';
import { expiry } from '../fields/expiry.ts';
import { invalid, moment } from '../fields/fields.ts';
import { requiredName } from '../fields/names.ts';
import { apiKeyScopes } from './scopes.ts';

export const MAX_API_KEYS = 20;
export const MAX_API_KEY_YEARS = 5;

/** `account` allows everything that its owner may do; `backup` only downloads backups and verifies the books. */
export const apiKeyKinds = ['account', 'backup'] as const;
export type ApiKeyKind = (typeof apiKeyKinds)[number];

/**
 * A key that scripts send as `Authorization: Bearer`. Lists do not contain the key itself, which is shown only once.
 */
export const apiKey = entity('ApiKey', {
  id: z.string(),
  name: z.string(),
  kind: z.enum(apiKeyKinds),
  scopes: z.array(z.enum(apiKeyScopes)).nullable(),
  start: z.string(),
  created_at: moment,
  /** Time of the last use, rounded to minutes; null if the key was never used. */
  last_used_at: moment.nullable(),
  expires_at: moment.nullable(),
  has_expired: z.boolean(),
});
export type ApiKey = z.output<typeof apiKey>;

const createdApiKey = apiKey.extend({ key: z.string() });
export type CreatedApiKey = z.output<typeof createdApiKey>;

export const listApiKeys = endpoint('listApiKeys', 'GET /api/auth/api-keys', {
  ...ofPerson,
  summary: 'List your API keys',
  description:
    'Lists the keys of your account, newest first. The keys themselves are not included.',
  output: z.object({ items: z.array(apiKey) }),
});

export const createApiKey = endpoint('createApiKey', 'POST /api/auth/api-keys', {
  ...ofPerson,
  summary: 'Create an API key',
  description:
    'Creates a key that has the permissions of its owner at the moment of each call. It cannot manage keys, passwords or sessions. A key of kind `backup`, which only administrators can create, downloads backups and verifies the books and does nothing else. With `scopes`, the key makes only calls of these scopes: `read` for calls that change nothing and show neither passwords nor codes, `sell` for changes of lines and their payment, `support` for tickets and messages, `admin` for all else. Only this response has the key itself. If `expires_at` is a day, the key works through that day.',
  body: z.object({
    name: requiredName(60),
    kind: z.enum(apiKeyKinds, invalid).default('account'),
    scopes: z
      .array(z.enum(apiKeyScopes, invalid))
      .min(1, { error: 'REQUIRED' })
      .max(apiKeyScopes.length, invalid)
      .optional(),
    expires_at: expiry.nullish(),
  }),
  status: 201,
  output: createdApiKey,
  repliesWithSecret: true,
  errors: ['TOO_MANY_API_KEYS', 'INVALID_EXPIRY', 'INVALID_KEY_EXPIRY'],
});

export const deleteApiKey = endpoint('deleteApiKey', 'DELETE /api/auth/api-keys/{id}', {
  ...ofPerson,
  ...ofRecord('account', 'API_KEY_NOT_FOUND'),
  summary: 'Revoke an API key',
  description: 'Revokes the key immediately and ends its event streams.',
  output: done,
});

import { type Endpoint, isMutation } from '../endpoint.ts';

/** Scopes to which a key can be limited. A key never has more permissions than its owner. */
export const apiKeyScopes = ['read', 'sell', 'support', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Parts of the API by the first word of their paths, whose changes have a scope of their own. */
const areas: Record<string, ApiKeyScope> = {
  lines: 'sell',
  jobs: 'sell',
  customers: 'sell',
  redeem: 'sell',
  topups: 'sell',
  'activation-codes': 'sell',
  'price-lists': 'sell',
  tickets: 'support',
  attachments: 'support',
  articles: 'support',
  contact: 'support',
  messages: 'support',
  notifications: 'support',
};

/**
 * The scope that a key needs for a call: `read` for what changes nothing, `admin` for what only administrators may do and
 * for all parts of the API that are neither sales nor support.
 */
export function scopeOf(call: Pick<Endpoint, 'method' | 'path' | 'access'>): ApiKeyScope {
  if (!isMutation(call)) return 'read';
  if (call.access === 'admin') return 'admin';
  return areas[call.path.split('/')[2] ?? ''] ?? 'admin';
}

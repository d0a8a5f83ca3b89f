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
  book: 'sell',
  tickets: 'support',
  attachments: 'support',
  articles: 'support',
  contact: 'support',
  messages: 'support',
  notifications: 'support',
};

/** Parts of the API with codes, which anyone who reads them can use. */
const areasOfCodes = ['activation-codes', 'redeem-codes', 'redeem'];

/**
 * The scope that a key needs for a call: `read` for what changes nothing and shows neither passwords nor codes, `admin` for
 * what only administrators may do and for all parts of the API that are neither sales nor support.
 */
export function scopeOf(
  call: Pick<Endpoint, 'method' | 'path' | 'access' | 'repliesWithSecret'>,
): ApiKeyScope {
  const area = call.path.split('/')[2] ?? '';
  if (!isMutation(call) && !call.repliesWithSecret && !areasOfCodes.includes(area)) return 'read';
  if (call.access === 'admin' || (area === 'redeem' && !isMutation(call))) return 'admin';
  return areas[area] ?? 'admin';
}

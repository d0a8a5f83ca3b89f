import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import type { Access } from '@linekeeper/contract/permissions.ts';

/**
 * The access to each endpoint, stated independently of the contract, so that opening one by
 * accident fails its test.
 */
const policy: [paths: RegExp, access: Access][] = [
  [
    /^(POST|GET) \/api\/auth\/(sign-(up|in)\/email|two-factor\/(sign-in|pending)|sign-out|get-session|confirm-email|reset-password|request-password-reset)$/,
    'public',
  ],
  [/^GET \/api\/settings\/public$/, 'public'],
  [/^(GET|PATCH) \/api\/settings$/, 'admin'],
  [/^GET \/api\/dashboard$/, 'account'],
  [/^(GET|PATCH) \/api\/me(\/settings)?$/, 'account'],
  [/^POST \/api\/auth\/change-password$/, 'account'],
  [/ \/api\/auth\/(sessions|api-keys)(\/|$)/, 'account'],
  [/ \/api\/auth\/(change-email|two-factor)(\/|$)/, 'account'],
  [/^GET \/api\/credits\/(prices|transfers|transfers\/csv)$/, 'account'],
  [/^GET \/api\/audit(\/csv|\/seals)?$/, 'admin'],
  [/^POST \/api\/audit\/seals\/check$/, 'admin'],
  [/ \/api\/credits\//, 'admin'],
  [/^PUT \/api\/accounts\/{id}\/credits$/, 'admin'],
  [/^GET \/api\/servers\/(choices|outages)$/, ['view_users']],
  [/ \/api\/servers(\/|$)/, 'admin'],
  [/ \/api\/sync(\/|$)/, 'admin'],
  [/ \/api\/redeem-codes(\/|$)/, 'admin'],
  [/^(POST \/api\/redeem|GET \/api\/redeem\/history)$/, 'account'],
  [/^GET \/api\/(packages|topups(\/csv)?)$/, 'account'],
  [/^POST \/api\/topups(\/{id}\/(checkout|withdraw))?$/, 'account'],
  [/ \/api\/(packages|topups)(\/|$)/, 'admin'],
  [/^POST \/api\/contact$/, 'public'],
  [/ \/api\/(contact|system)(\/|$)/, 'admin'],
  [/^GET \/api\/articles(\/{id})?$/, 'public'],
  [/^POST \/api\/articles\/{id}\/feedback$/, 'account'],
  [/ \/api\/articles(\/|$)/, 'admin'],
  [/^GET \/api\/messages(\/{id}|\/unread-count)?$/, 'account'],
  [/^POST \/api\/messages\/({id}\/read|read-all)$/, 'account'],
  [/ \/api\/messages(\/|$)/, 'admin'],
  [/ \/api\/notifications(\/|$)/, 'account'],
  [/^(GET|POST) \/api\/tickets$/, 'account'],
  [/^GET \/api\/tickets\/counts$/, 'account'],
  [/^(GET|PATCH) \/api\/tickets\/{id}$/, 'account'],
  [/^(GET|POST) \/api\/tickets\/{id}\/(replies|read)$/, 'account'],
  [/^POST \/api\/attachments$/, 'account'],
  [/^(GET|DELETE) \/api\/attachments\/{id}$/, 'account'],
  [/ \/api\/(tickets|canned-replies)(\/|$)/, 'admin'],
  [/^GET \/api\/config\.php$/, ['view_users']],
  [/^GET \/api\/geo$/, 'public'],
  [/ \/api\/(lines|jobs)(\/|$)/, ['view_users']],
  [/^GET \/api\/groups$/, ['view_groups', 'manage_groups']],
  [/ \/api\/groups(\/|$)/, ['manage_groups']],
  [
    /^GET \/api\/accounts(\/csv|\/{id}(\/figures)?)?$/,
    ['add_credits', 'manage_resellers', 'view_resellers'],
  ],
  [/ \/api\/accounts\/{id}\/two-factor(\/disable)?$/, 'admin'],
  [/^GET \/api\/accounts\/{id}\/ban$/, ['add_credits', 'manage_resellers']],
  [/ \/api\/accounts(\/|$)/, ['add_credits', 'manage_resellers']],
];

/** Public calls that a setting closes to visitors, as it does unless it is changed. */
export const closedToVisitors = /^GET \/api\/articles(\/|$)/;

/** Calls that no API key may make, likewise stated here. */
export const notByKey =
  / \/api\/(auth\/(sign-out|change-password|change-email|two-factor(\/(enable|verify|disable|recovery-codes))?|sessions(\/.*)?|api-keys(\/.*)?)|accounts\/{id}\/(reset-link|two-factor(\/disable)?))$/;

export function accessOf({ method, path }: Endpoint): Access {
  const rule = policy.find(([paths]) => paths.test(`${method} ${path}`));
  if (!rule) throw new Error(`Add ${method} ${path} to the policy`);
  return rule[1];
}

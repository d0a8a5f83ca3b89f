import * as accounts from './accounts.ts';
import * as auth from './auth.ts';
import * as bulk from './bulk.ts';
import type { Endpoint } from './endpoint.ts';
import * as lineChanges from './line-changes.ts';
import * as lines from './lines.ts';
import * as preferences from './preferences.ts';
import * as servers from './servers.ts';

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value;
}

/** Every call of the panel, for what must cover all of them. */
export const endpoints: readonly Endpoint[] = [
  auth,
  preferences,
  lines,
  lineChanges,
  bulk,
  servers,
  accounts,
]
  .flatMap((feature) => Object.values(feature) as unknown[])
  .filter(isEndpoint);

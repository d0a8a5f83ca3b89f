import * as accounts from './accounts.ts';
import * as auth from './auth.ts';
import * as bulk from './bulk.ts';
import * as compare from './compare.ts';
import type { Endpoint } from './endpoint.ts';
import * as lineChanges from './line-changes.ts';
import * as lines from './lines.ts';
import * as preferences from './preferences.ts';
import * as servers from './servers.ts';
import * as sync from './sync.ts';
import * as testCall from './test-call.ts';
import * as transfers from './transfers.ts';

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
  compare,
  testCall,
  sync,
  accounts,
  transfers,
]
  .flatMap((feature) => Object.values(feature) as unknown[])
  .filter(isEndpoint);

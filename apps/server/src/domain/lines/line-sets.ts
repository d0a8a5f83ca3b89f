import type { Day } from '@linekeeper/contract/dates.ts';
import type { Db } from '../../db/transaction.ts';
import { type Scope, visibleTo } from '../context/access.ts';
import { hasLongName } from '../delivery/sent-names.ts';
import {
  expiresWithin,
  inPresence,
  inSyncState,
  isActive,
  isNeverConnected,
  soldFor,
} from './line-filters.ts';

export const EXPIRING_DAYS = 7;
/** A customer who has not connected by then often typed something wrongly. */
export const NEVER_CONNECTED_DAYS = 3;

/** The lines of a scope without joins: to filter, sort and count. */
export function visibleLines(db: Db, scope: Scope) {
  return db.selectFrom('users').where(visibleTo(scope, 'users.owner_id'));
}

/** The lines of each view of the list, as queries to be counted: wherever a view is counted, alike. */
export function lineSets(db: Db, scope: Scope, today: Day) {
  const lines = visibleLines(db, scope);
  const ended = lines.where('users.expiry_date', '<', today).select('users.id');
  const markedExpired = lines
    .where('users.expiry_date', '>=', today)
    .where('users.status_label', '=', 'expired')
    .select('users.id');
  return {
    all: lines,
    active: lines.where(isActive(today)),
    expiring: lines.where(expiresWithin(today, EXPIRING_DAYS)),
    // A union, because no index can answer a condition with OR.
    expired: db.selectFrom(ended.unionAll(markedExpired).as('expired')),
    trials: lines.where('users.is_trial', '=', true),
    not_synced: lines.where(inSyncState(['failed'])),
    long_names: lines.where(hasLongName),
    online: lines.where(inPresence(['online'])),
    never_connected: lines
      .where(isActive(today))
      .where(isNeverConnected)
      .where(soldFor(today, NEVER_CONNECTED_DAYS)),
  };
}

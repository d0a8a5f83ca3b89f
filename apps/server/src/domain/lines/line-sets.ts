import type { Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { type Scope, visibleTo } from '../context/access.ts';
import { isKnown } from '../presence/presence.ts';
import {
  expiresWithin,
  inPresence,
  inSyncState,
  isActive,
  isExpired,
  isNeverConnected,
  soldFor,
} from './line-filters.ts';
import { hasLongName } from './sent-names.ts';

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

/**
 * The sets that many lines are in, counted in one reading of an account's lines. Null where these are more than are
 * counted: then each count has to end for itself. Lines that are on are joined, because many at once are found faster so
 * than by `inPresence`.
 */
export async function countTogether(db: Db, scope: Scope, today: Day) {
  if (scope.sees_all) return null;
  const lines = visibleLines(db, scope)
    .select(['users.id', 'users.server_id', 'users.expiry_date', 'users.status_label'])
    .limit(sql.lit(MOST_COUNTED + 1));
  const counts = await db
    .selectFrom(lines.as('users'))
    .leftJoin('line_presence', (join) =>
      join
        .onRef('line_presence.line_id', '=', 'users.id')
        .onRef('line_presence.server_id', '=', 'users.server_id')
        .on('line_presence.connections', '>', sql.lit(0)),
    )
    .leftJoin('server_presence', 'server_presence.server_id', 'line_presence.server_id')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere(isActive(today)).as('active'),
      fn.countAll<number>().filterWhere(expiresWithin(today, EXPIRING_DAYS)).as('expiring'),
      fn.countAll<number>().filterWhere(isExpired(today)).as('expired'),
      fn.countAll<number>().filterWhere(isKnown).as('online'),
    ])
    .executeTakeFirstOrThrow();
  return counts.all > MOST_COUNTED ? null : counts;
}

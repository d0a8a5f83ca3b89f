import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import type { Db } from '../../../db/transaction.ts';
import { standsAbove } from '../../../domain/accounts/standing.ts';
import { isVisibleTo, type Scope } from '../../../domain/context/access.ts';

type Suspended = { suspension: StoredSuspension | null };

/**
 * The suspensions of a page as its reader sees them, by the stored one. Nothing is asked for where no
 * line is suspended. Named is whom the reader may see: oneself, those below, or anybody with the right
 * to see all lines.
 */
export async function readSuspensions(
  db: Db,
  scope: Scope,
  rows: readonly Suspended[],
): Promise<(stored: StoredSuspension | null) => Line['suspension']> {
  const ids = [...new Set(rows.flatMap(({ suspension }) => suspension?.by_id ?? []))];
  const suspenders =
    ids.length === 0
      ? []
      : await db
          .selectFrom('auth_users as suspender')
          .select(['suspender.id', 'suspender.email'])
          .select([
            standsAbove('suspender.id', scope.account_id).as('is_above'),
            sql<boolean>`${isVisibleTo(scope, 'suspender.id')}`.as('is_named'),
          ])
          .where('suspender.id', 'in', ids)
          .execute();
  const byId = new Map(suspenders.map((suspender) => [suspender.id, suspender]));
  return (stored) => {
    if (!stored) return null;
    const { at, reason, by_id } = stored;
    const by = byId.get(by_id ?? '');
    return {
      at,
      reason,
      by: by?.is_named ? by.email : null,
      can_resume: !by?.is_above,
    };
  };
}

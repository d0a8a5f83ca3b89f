import type * as contract from '@linekeeper/contract/activity.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { lineScope, requireVisible, type Scope, visibleTo } from '../../domain/context/access.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { readHistory, scopesOf } from './read-history.ts';

/**
 * When a line last came from an account that is not seen; what was before is that account's own. The
 * moment has microseconds, so it stays a text.
 */
async function readArrival(db: Db, scope: Scope, id: string): Promise<string> {
  if (scope.sees_all) return '-infinity';
  const { rows } = await sql<{ moment: string | null }>`
    select max(created_at)::text as moment from audit_log
      where subject_type = 'line' and subject_id = ${id} and jsonb_exists(after, 'owner_id')
        and before ->> 'owner_id' not in (
          select account_id::text from account_tree where ancestor_id = ${scope.account_id})`.execute(
    db,
  );
  return rows[0]?.moment ?? '-infinity';
}

export const lineActivity: Action<typeof contract.lineActivity> = async (ctx, input) => {
  const { db, actor } = ctx;
  const { id } = input.params;
  const scope = lineScope(actor);
  await requireVisible(db, 'users', scope, id);
  const { credits } = scopesOf(ctx);
  const since = sql`created_at >= ${await readArrival(db, scope, id)}::timestamptz`;
  return readHistory(ctx, input.query, [
    {
      source: 'audit',
      where: sql`subject_type = 'line' and subject_id = ${id} and ${since}`,
    },
    {
      source: 'transfer',
      where: sql`line_id = ${id} and ${since}
        and (${visibleTo(credits, 'from_id')} or ${visibleTo(credits, 'to_id')})`,
    },
    { source: 'push', where: sql`line_id = ${id} and ${since}` },
  ]);
};

import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { takenNamesLimit } from '../../platform/rate-limit.ts';
import { consumeGuesses } from '../accounts/guesses.ts';
import { lookSoon } from '../machines/agent-reports.ts';
import type { PushResult } from '../machines/card-server/client.ts';
import { rowsByHand } from '../machines/card-server/messages.ts';
import type { Claim } from './push-claims.ts';

/**
 * Keeps a name of the operator's that the first push of a line finds, so that the next sale of it is refused at once, and
 * counts it as those are: where no names are known, pushes would read them out.
 */
export async function noteFoundName(
  db: Db,
  { server_id, username, wanted, on_server, attempts }: Claim,
  outcome: PushResult,
): Promise<void> {
  if (outcome.ok || !wanted || on_server || attempts > 0) return;
  if (!rowsByHand.some((kind) => kind === outcome.kind)) return;
  const owner = await db
    .selectFrom('users')
    .innerJoin('auth_users', 'auth_users.id', 'users.owner_id')
    .select(['auth_users.id', 'auth_users.is_admin'])
    .where('users.id', '=', wanted.line_id)
    .executeTakeFirst();
  if (owner && !owner.is_admin) await consumeGuesses(db, takenNamesLimit, owner.id);
  if (outcome.kind === 'KEPT_BY_HAND') {
    await sql`update cccam_servers
      set names_by_hand = array_append(coalesce(names_by_hand, '{}'), ${username}::text)
      where id = ${server_id} and not ${username}::text = any (coalesce(names_by_hand, '{}'))`.execute(
      db,
    );
  }
  await lookSoon(db, server_id);
}

import * as contract from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import { readNames } from '../../../domain/audit/act-facts.ts';
import { accountScope, isVisibleTo, lineScope } from '../../../domain/context/access.ts';
import { isDue } from '../../../domain/machines/server-accounts.ts';
import { serversOfUser } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';

interface Act {
  action: string;
  actor_id: string | null;
  created_at: Date;
}

/** SQL of the earliest time among the due accounts of the line on its servers; null if none is due. */
const dueOfLine = (moment: 'wanted_since' | 'next_try_at') => sql<Date | null>`(
  select min(${sql.ref(moment)}) from server_accounts
    where server_id = any(${serversOfUser}) and server_accounts.username = users.username and ${isDue})`;

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

/** Facts for a line's page about its delivery, and about who renewed it in the last minutes. */
export const lineState: Action<typeof contract.lineState> = async ({ db, actor }, { params }) => {
  const scope = lineScope(actor);
  const line = await db
    .selectFrom('users')
    .select('users.id')
    .select([
      dueOfLine('wanted_since').as('wanted_since'),
      dueOfLine('next_try_at').as('next_try_at'),
    ])
    .select(
      sql<Date | null>`(select max(created_at) from line_pushes
        where line_id = users.id and line_pushes.server_id = any(${serversOfUser}) and ok)`.as(
        'delivered_at',
      ),
    )
    .select(
      sql<Date | null>`(select max(created_at) from audit_log
        where subject_type = 'line' and subject_id = users.id::text
          and action = 'line.edit' and data -> 'fields' @> '"password"')`.as('password_set_at'),
    )
    .where('users.id', '=', params.id)
    .where(isVisibleTo(scope, 'users.owner_id'))
    .executeTakeFirst();
  if (!line) return fail('LINE_NOT_FOUND');
  const { rows } = await sql<Act>`
    select action, actor_id, created_at from audit_log
      where subject_type = 'line' and subject_id = ${line.id}
        and action in ('line.renew', 'line.undo')
        and created_at > now() - make_interval(mins => ${contract.RECENT_MINUTES})
      order by created_at desc limit 1`.execute(db);
  const [last] = rows;
  const renewal = last?.action === 'line.renew' ? last : undefined;
  const names = await readNames(
    db,
    { accounts: accountScope(actor), lines: scope },
    { accounts: [renewal?.actor_id ?? null] },
  );
  return {
    delivered_at: iso(line.delivered_at),
    pending_since: iso(line.wanted_since),
    next_try_at: iso(line.next_try_at),
    password_set_at: iso(line.password_set_at),
    renewal: renewal
      ? {
          at: renewal.created_at.toISOString(),
          by: names.accounts.get(renewal.actor_id ?? '')?.name ?? null,
          is_own: renewal.actor_id === actor.id,
        }
      : null,
  };
};

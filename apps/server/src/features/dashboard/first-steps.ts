import type { FirstSteps } from '@linekeeper/contract/dashboard.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { lineScope } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { visibleLines } from '../../domain/lines/line-sets.ts';
import { type AnyQuery, countUpTo } from '../../platform/paging/pages.ts';
import { readSettings } from '../../platform/settings.ts';

/** What a new account does first, as far as it may; done as soon as there is one of each. */
export async function readFirstSteps({ db, actor, cardService }: Ctx): Promise<FirstSteps> {
  const any = (isAllowed: boolean, rows: AnyQuery<object>) =>
    isAllowed ? sql<number | null>`${countUpTo(1, rows)}` : sql<number | null>`null::bigint`;
  const others = actor.is_admin
    ? db.selectFrom('auth_users').where('is_admin', '=', false)
    : db.selectFrom('account_tree').where('ancestor_id', '=', actor.id).where('depth', '>', 0);
  const found = await db
    .selectNoFrom([
      any(actor.is_admin, db.selectFrom('cccam_servers')).as('server'),
      any(can(actor, ['view_users']), visibleLines(db, lineScope(actor))).as('line'),
      any(can(actor, ['add_credits', 'manage_resellers']), others).as('account'),
    ])
    .executeTakeFirstOrThrow();
  const isDone = (count: number | null) => (count === null ? null : count > 0);
  return {
    server: isDone(found.server),
    line: isDone(found.line),
    payee: actor.is_admin
      ? cardService !== null || (await readSettings(db)).bank_details !== ''
      : null,
    account: isDone(found.account),
  };
}

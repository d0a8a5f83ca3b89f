import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type * as plans from '@linekeeper/contract/credits/plans.ts';
import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { accountScope, lineScope } from '../../domain/context/access.ts';
import { readOffer } from '../../domain/credits/prices.ts';
import { visibleLines } from '../../domain/lines/line-sets.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { countUpTo } from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';

/** SQL of the number of a plan's lines, counted up to the most that lists count. */
const lineCount = (db: Db) =>
  countUpTo(
    MOST_COUNTED,
    db.selectFrom('users').whereRef('users.plan_id', '=', sql.ref('plans.id')),
  );

/** The plans in the order in which they are offered. */
export async function readPlans(db: Db): Promise<Plan[]> {
  const rows = await db
    .selectFrom('plans')
    .select([
      'id',
      'name',
      'description',
      'position',
      'is_offered',
      'serves',
      'terms',
      'updated_at',
    ])
    .select(
      sql<Plan['servers']>`(
        select coalesce(jsonb_agg(jsonb_build_object('server_id', server_id, 'server_name', server_name)
            || coalesce(rights, '{}') order by place.position), '[]')
          from plan_servers place join cccam_servers on cccam_servers.id = server_id
          where plan_id = plans.id)`.as('servers'),
    )
    .select(lineCount(db).as('lines'))
    .orderBy('position')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  return rows.map((row) => sentRow({ ...row, lines: Number(row.lines) }));
}

/** Throws PLAN_NOT_FOUND. */
export async function findPlan(db: Db, id: string): Promise<Plan> {
  return (await readPlans(db)).find((plan) => plan.id === id) ?? fail('PLAN_NOT_FOUND');
}

/** The plans that a seller can sell, or has lines of, without prices and rights; all of them for administrators. */
export const listPlans: Action<typeof plans.listPlans> = async ({ db, actor }) => {
  const all = await readPlans(db);
  if (actor.is_admin) return { items: all };
  const { plans: offered = [] } = await readOffer(db, actor);
  const own = await visibleLines(db, lineScope(actor)).select('plan_id').distinct().execute();
  const known = new Set([
    ...offered.flatMap(({ plan_id, is_offered }) => (is_offered ? plan_id : [])),
    ...own.map(({ plan_id }) => plan_id),
  ]);
  const items = all
    .filter(({ id }) => known.has(id))
    .map((plan) => ({
      ...plan,
      is_offered: offered.some((one) => one.plan_id === plan.id && one.is_offered),
      servers: plan.servers.map(({ server_id, server_name }) => ({ server_id, server_name })),
      terms: [],
      lines: null,
    }));
  return { items };
};

/** The prices of the reader, or of an account below. Throws USER_NOT_FOUND. */
export const listPrices: Action<typeof contract.listPrices> = async (
  { db, actor },
  { query: { account_id = actor.id, plan_id } },
) => {
  if (account_id !== actor.id) await findAccount(db, accountScope(actor), account_id);
  const ownsList = (owner_id: string | null) =>
    actor.is_admin || (owner_id !== null && owner_id === actor.id);
  const { prices } = await readOffer(db, { id: account_id });
  const ofPlan = prices.filter((price) => plan_id === undefined || price.plan_id === plan_id);
  return ofPlan.map(({ from, ...price }) => ({
    ...price,
    from: from && ownsList(from.owner_id) ? { id: from.id, name: from.name } : null,
  }));
};

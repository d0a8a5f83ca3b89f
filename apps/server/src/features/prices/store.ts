import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type * as plans from '@linekeeper/contract/credits/plans.ts';
import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Offer } from '../../db/schema/job-schema.ts';
import type { Db } from '../../db/transaction.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { accountScope, lineScope, type SignedIn } from '../../domain/context/access.ts';
import { pricesOnSale, readOffer } from '../../domain/credits/prices.ts';
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

/** The plan with this ID, as the API returns it. Throws PLAN_NOT_FOUND. */
export async function findPlan(db: Db, id: string): Promise<Plan> {
  return (await readPlans(db)).find((plan) => plan.id === id) ?? fail('PLAN_NOT_FOUND');
}

/** Ids of the plans that a seller can sell, and of plans that are not offered but that lines of the seller have. */
async function readKnownPlans(
  db: Db,
  actor: SignedIn,
  { plans: all = [] }: Offer,
): Promise<ReadonlyMap<string, { is_offered: boolean }>> {
  const others = all.flatMap(({ plan_id, is_offered }) => (is_offered ? [] : plan_id));
  const own =
    others.length === 0
      ? []
      : await visibleLines(db, lineScope(actor))
          .select('plan_id')
          .distinct()
          .where('plan_id', 'in', others)
          .execute();
  const isOwn = (id: string) => own.some(({ plan_id }) => plan_id === id);
  return new Map(
    all
      .filter(({ plan_id, is_offered }) => is_offered || isOwn(plan_id))
      .map(({ plan_id, is_offered }) => [plan_id, { is_offered }]),
  );
}

/** The plans that a seller knows, without prices and rights; for administrators, all plans. */
export const listPlans: Action<typeof plans.listPlans> = async ({ db, actor }) => {
  const all = await readPlans(db);
  if (actor.is_admin) return { items: all };
  const known = await readKnownPlans(db, actor, await readOffer(db, actor));
  const items = all.flatMap((plan) => {
    const own = known.get(plan.id);
    const servers = plan.servers.map(({ server_id, server_name }) => ({ server_id, server_name }));
    return own ? [{ ...plan, ...own, servers, terms: [], lines: null }] : [];
  });
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
  const offer = await readOffer(db, { id: account_id });
  const own = account_id === actor.id ? offer : await readOffer(db, actor);
  const known = actor.is_admin ? null : await readKnownPlans(db, actor, own);
  const shown = pricesOnSale(offer).filter(
    (price) =>
      (plan_id === undefined || price.plan_id === plan_id) && (known?.has(price.plan_id) ?? true),
  );
  return shown.map(({ from, above: _, ...price }) => ({
    ...price,
    from: from && ownsList(from.owner_id) ? { id: from.id, name: from.name } : null,
  }));
};

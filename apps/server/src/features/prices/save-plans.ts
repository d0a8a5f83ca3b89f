import type * as contract from '@linekeeper/contract/credits/plans.ts';
import { type Plan, type PlanServer, STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { MAX_PLANS } from '@linekeeper/contract/pricing.ts';
import { type Insertable, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { planSubject } from '../../domain/audit/audit-subjects.ts';
import {
  lockPlaces,
  type PlanPlaces,
  type SavedPlaces,
  savePlaces,
} from '../../domain/lines/plans.ts';
import { type Mutation, Unkept } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { lockName } from '../../platform/rows.ts';
import { findPlan } from './store.ts';

/** Locks a plan until the transaction ends. Throws PLAN_NOT_FOUND. */
async function lockPlan(tx: Tx, id: string) {
  const plan = await tx
    .selectFrom('plans')
    .select('updated_at')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return plan ?? fail('PLAN_NOT_FOUND');
}

/**
 * Checks the servers of a plan. Throws SERVER_NOT_FOUND, and PLAN_NEEDS_SERVERS if the plan serves
 * all of its servers but has none.
 */
async function checkPlaces(tx: Tx, { serves, servers }: PlanPlaces): Promise<void> {
  if (serves === 'all' && servers.length === 0) failField('servers', 'PLAN_NEEDS_SERVERS');
  await lockPlaces(tx, servers);
}

type PlanRow = Insertable<Database['plans']>;

/** The columns of the given fields, without the servers, which are in another table. */
function columnsOf({
  name,
  description,
  position,
  is_offered,
  terms,
}: Partial<Pick<Plan, 'name' | 'position' | 'is_offered' | 'terms'>> & {
  description?: string | undefined;
}): Partial<PlanRow> {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description || null }),
    ...(position !== undefined && { position }),
    ...(is_offered !== undefined && { is_offered }),
    ...(terms !== undefined && { terms: JSON.stringify(terms) }),
  };
}

export const createPlan: Mutation<typeof contract.createPlan, { id: string }> = {
  audit: { action: 'plan.create', subject: planSubject, made: ({ id }) => id },
  commit: async (tx, ctx, { body }) => {
    await lockName(tx, 'plans');
    const plans = await tx.selectFrom('plans').select('id').execute();
    if (plans.length >= MAX_PLANS) fail('TOO_MANY_VALUES', { maximum: MAX_PLANS });
    await checkPlaces(tx, body);
    const id = newId();
    const { name, terms } = body;
    const row = { ...columnsOf(body), id, name, terms: JSON.stringify(terms) };
    await tx.insertInto('plans').values(row).execute();
    await savePlaces(tx, ctx, id, body);
    return { id };
  },
  reply: async ({ db }, { id }) => ({ plan: await findPlan(db, id) }),
};

const inPlan = ({ server_name: _, ...place }: Plan['servers'][number]): PlanServer => place;

type Edited = { plan: Plan } & SavedPlaces;

export const editPlan: Mutation<typeof contract.editPlan, Edited> = {
  audit: {
    action: 'plan.edit',
    subject: planSubject,
    of: ({ params }) => params.id,
    data: (_, { lines, job_id }) => ({ lines, job_id }),
  },
  commit: async (tx, ctx, { params: { id }, body: { preview, from_updated_at, ...body } }) => {
    const { updated_at } = await lockPlan(tx, id);
    if (from_updated_at !== undefined && updated_at.toISOString() !== from_updated_at) {
      fail('PLAN_CHANGED_SINCE');
    }
    const { serves: served, servers: placed } = await findPlan(tx, id);
    const { serves = served, servers = placed.map(inPlan) } = body;
    const places = { serves, servers };
    // Most lines have the plan Standard, so it must not need a look-up of its servers for each line.
    if (id === STANDARD_PLAN && serves === 'all') failField('serves', 'STANDARD_ON_ONE');
    await checkPlaces(tx, places);
    if (preview) await sql`savepoint previewed`.execute(tx);
    await tx
      .updateTable('plans')
      .set({ ...columnsOf(body), updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
    const job = preview ? 'preview' : undefined;
    const saved = await savePlaces(tx, ctx, id, places, job);
    const edited = { plan: await findPlan(tx, id), ...saved };
    if (!preview) return edited;
    await sql`rollback to savepoint previewed`.execute(tx);
    return new Unkept(edited);
  },
  reply: async (_, edited) => edited,
};

export const deletePlan: Mutation<typeof contract.deletePlan, { id: string }> = {
  audit: { action: 'plan.delete', subject: planSubject },
  commit: async (tx, _, { params: { id } }) => {
    // Limits and price lists lose their entries for the plan. The plan is locked before its lines
    // are counted, so that a sale in progress is waited for.
    await lockPlan(tx, id);
    if (id === STANDARD_PLAN) fail('PLAN_STAYS');
    const { lines } = await findPlan(tx, id);
    if (lines) fail('PLAN_IN_USE', { count: lines });
    const { rows: unused } = await sql`select from activation_codes
      where plan_id = ${id} and used_at is null and refunded_at is null limit 1`.execute(tx);
    if (unused.length > 0) fail('PLAN_HAS_CODES');
    await sql`update account_limits set plan_ids = array_remove(plan_ids, ${id}::uuid)
      where ${id}::uuid = any(plan_ids)`.execute(tx);
    await sql`
      update price_lists set terms = others.terms, factor_percent = case when others.terms = '[]' then 100 end
        from (select list.id, (
            select coalesce(jsonb_agg(term order by place) filter (where term ->> 'plan_id' <> ${id}), '[]')
              from jsonb_array_elements(list.terms) with ordinality as named (term, place)) as terms
          from price_lists list where list.terms @> ${JSON.stringify([{ plan_id: id }])}::jsonb) as others
        where others.id = price_lists.id`.execute(tx);
    await tx.deleteFrom('plans').where('id', '=', id).execute();
    return { id };
  },
  reply: async () => ({ success: true }),
};

import type * as contract from '@linekeeper/contract/credits/plans.ts';
import { type Plan, STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { MAX_PLANS } from '@linekeeper/contract/pricing.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { planSubject } from '../../domain/audit/audit-subjects.ts';
import { type SavedPlaces, savePlaces } from '../../domain/lines/plans.ts';
import { type Mutation, Unkept } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { refuseFull } from '../../platform/rows.ts';
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

type Given = Partial<Parsed<typeof contract.editPlan>['body']>;

/** The columns of the given fields, without the servers, which are in another table. */
const columnsOf = ({ name, position, is_offered, description, terms }: Given) => ({
  ...{ name, position, is_offered },
  ...(description !== undefined && { description: description || null }),
  ...(terms !== undefined && { terms: JSON.stringify(terms) }),
});

export const createPlan: Mutation<typeof contract.createPlan, { id: string }> = {
  audit: { action: 'plan.create', subject: planSubject, made: ({ id }) => id },
  commit: async (tx, ctx, { body }) => {
    await refuseFull(tx, 'plans', MAX_PLANS, 'TOO_MANY_VALUES');
    const id = newId();
    const { name, terms } = body;
    const row = { ...columnsOf(body), id, name, terms: JSON.stringify(terms) };
    await tx.insertInto('plans').values(row).execute();
    await savePlaces(tx, ctx, id, body);
    return { id };
  },
  reply: async ({ db }, { id }) => ({ plan: await findPlan(db, id) }),
};

type Edited = { plan: Plan } & SavedPlaces;

export const editPlan: Mutation<typeof contract.editPlan, Edited> = {
  audit: {
    action: 'plan.edit',
    subject: planSubject,
    data: (_, { lines, job_id }) => ({ lines, job_id }),
  },
  commit: async (tx, ctx, { params: { id }, body: { preview, from_updated_at, ...body } }) => {
    const { updated_at } = await lockPlan(tx, id);
    if (from_updated_at !== undefined && updated_at.toISOString() !== from_updated_at) {
      fail('PLAN_CHANGED_SINCE');
    }
    if (preview) await sql`savepoint previewed`.execute(tx);
    await tx
      .updateTable('plans')
      .set({ ...columnsOf(body), updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
    const saved = await savePlaces(tx, ctx, id, body, preview ? 'preview' : undefined);
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

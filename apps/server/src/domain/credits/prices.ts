import type { PlanTerm } from '@linekeeper/contract/credits/plans.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import { MAX_CREDITS } from '@linekeeper/contract/fields/fields.ts';
import { type Selectable, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Offer, OfferedPlan, PriceOfTerm } from '../../db/schema/job-schema.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { limitsOf } from '../accounts/limits.ts';

/** The columns of a price list that decide prices. */
type DecidingList = Omit<Selectable<Database['price_lists']>, 'created_at'>;

/** An account between the top and the payer, with the price list that was assigned to it. */
export interface Seller {
  id: string;
  list: DecidingList | null;
}

interface PlanTerms {
  plan_id: string;
  terms: readonly PlanTerm[];
}

type Cost = Pick<PriceOfTerm, 'cost' | 'from' | 'above'>;

/**
 * The price that each account pays for a term, from the top down: by its own list, otherwise the price of the account
 * above. A factor multiplies the price of the list's owner, or the panel's price for a list of the panel, and rounds
 * up. No account pays less than the account above, or the two could sell through it and share the difference; the lists of
 * those at the top are assigned by administrators only. A list has no effect outside the accounts below its owner, where
 * an account may have been moved.
 */
function costOfTerm(plan_id: string, term: PlanTerm, way: readonly Seller[]): Cost {
  const paid = new Map<string | null, number>([[null, term.credits]]);
  let own: Pick<Cost, 'cost' | 'from'> = { cost: term.credits, from: null };
  const costs: number[] = [];
  for (const [depth, { id, list }] of way.entries()) {
    const base = list ? paid.get(list.owner_id) : undefined;
    if (list && base !== undefined) {
      const named = list.terms.find((one) => one.plan_id === plan_id && one.months === term.months);
      const byFactor = Math.min(
        Math.ceil((base * (list.factor_percent ?? 100)) / 100),
        MAX_CREDITS,
      );
      const cost = named?.credits ?? byFactor;
      // A list that results in the same price as before does not decide it.
      if (depth === 0 ? cost !== own.cost : cost > own.cost) own = { cost, from: list };
    }
    paid.set(id, own.cost);
    costs.push(own.cost);
  }
  return { ...own, above: costs.slice(0, -1) };
}

/**
 * The prices of all terms on sale for the last of these accounts, which begin at the top; the
 * panel's prices without any account.
 */
export function pricesOf(plans: readonly PlanTerms[], way: readonly Seller[]): PriceOfTerm[] {
  return plans.flatMap(({ plan_id, terms }) =>
    terms
      .filter(({ is_offered }) => is_offered)
      .map((term) => ({ plan_id, months: term.months, ...costOfTerm(plan_id, term, way) })),
  );
}

/** The prices of an offer, without those of longer terms than the account may buy. */
export const pricesOnSale = ({ prices, max_months }: Offer): PriceOfTerm[] =>
  prices.filter(({ months }) => months <= (max_months ?? months));

interface PricesRead {
  plans: (PlanTerms & OfferedPlan)[];
  way: Seller[] | null;
  max_months: number | null;
  ends_on: Day | null;
  /** The plans that each limit allows, of the account and of those above; null without any. */
  plan_lists: string[][] | null;
}

const readPlansAndWay = compiledQuery(
  ['payer_id'],
  (_, { payer_id }) => sql<PricesRead>`
    select
      (select jsonb_agg(jsonb_build_object('plan_id', id, 'terms', terms, 'serves', serves,
          'is_offered', is_offered,
          'server_ids', (
            select coalesce(jsonb_agg(server_id order by place.position), '[]') from plan_servers place
              where plan_id = plans.id)) order by position, lower(name), id) from plans) as plans,
      (select jsonb_agg(jsonb_build_object('id', seller.id, 'list', to_jsonb(list)) order by depth desc)
        from account_tree way
          join auth_users seller on seller.id = way.ancestor_id
          left join price_lists list on list.id = seller.price_list_id
        where way.account_id = ${payer_id} and not seller.is_admin) as way,
      held.max_months, held.ends_on, held.plan_lists
      from (
        select min(max_months) as max_months, min(ends_on)::text as ends_on,
            jsonb_agg(to_jsonb(plan_ids)) filter (where plan_ids is not null) as plan_lists
          from ${limitsOf(payer_id)}) as held`,
);

/**
 * Reads the terms and plans that an account can buy, in one statement. Administrators pay nothing
 * and read the panel's prices.
 */
export async function readOffer(db: Db, { id }: { id: string }): Promise<Offer> {
  const [read] = await readPlansAndWay(db, { payer_id: id });
  if (!read) return { prices: [], plans: [], ends_on: null };
  const { way, max_months, ends_on, plan_lists } = read;
  const plans = read.plans.map(({ terms: _, is_offered, ...plan }) => {
    const isAllowed = (plan_lists ?? []).every((list) => list.includes(plan.plan_id));
    return { ...plan, is_offered: is_offered && isAllowed };
  });
  return { prices: pricesOf(read.plans, way ?? []), plans, max_months, ends_on };
}

import type * as lists from '@linekeeper/contract/credits/price-lists.ts';
import { MAX_PRICE_LISTS } from '@linekeeper/contract/credits/price-lists.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { priceListSubject } from '../../domain/audit/audit-subjects.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import { findPriceList, isListOf } from '../../domain/credits/price-lists.ts';
import { readOffer } from '../../domain/credits/prices.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { lockName } from '../../platform/rows.ts';

type Saved = { id: string };
type Given = Parsed<typeof lists.editPriceList>['body'];

/**
 * Refuses prices below those that the account pays itself, because they would have no effect.
 * Throws PRICE_BELOW_OWN and PLAN_NOT_FOUND.
 */
async function checkPrices(tx: Tx, actor: SignedIn, { factor, terms = [] }: Given): Promise<void> {
  const known = await tx.selectFrom('plans').select('id').execute();
  const own = actor.is_admin ? [] : (await readOffer(tx, actor)).prices;
  if (factor !== undefined && factor < 1 && !actor.is_admin) {
    failField('factor', 'NUMBER_TOO_SMALL', { minimum: 1 });
  }
  for (const [index, { plan_id, months, credits }] of terms.entries()) {
    if (!known.some(({ id }) => id === plan_id))
      failField(`terms.${index}.plan_id`, 'PLAN_NOT_FOUND');
    const least = own.find((price) => price.plan_id === plan_id && price.months === months)?.cost;
    if (least !== undefined && credits < least) {
      failField(`terms.${index}.credits`, 'PRICE_BELOW_OWN', { least, count: least });
    }
  }
}

/** The columns of a list: a factor removes its fixed prices, and fixed prices remove the factor. */
const listColumns = ({ name, factor, terms }: Given) => ({
  ...(name !== undefined && { name }),
  ...(factor !== undefined && { factor_percent: Math.round(factor * 100), terms: '[]' }),
  ...(terms !== undefined && { factor_percent: null, terms: JSON.stringify(terms) }),
});

export const createPriceList: Mutation<typeof lists.createPriceList, Saved> = {
  audit: { action: 'pricelist.create', subject: priceListSubject, made: ({ id }) => id },
  commit: async (tx, { actor }, { body }) => {
    await checkPrices(tx, actor, body);
    const owner_id = actor.is_admin ? null : actor.id;
    await lockName(tx, `price lists of ${owner_id}`);
    const { count } = await tx
      .selectFrom('price_lists')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where(isListOf(actor))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_PRICE_LISTS) fail('TOO_MANY_VALUES', { maximum: MAX_PRICE_LISTS });
    const id = newId();
    const row = { id, owner_id, factor_percent: null, terms: '[]', ...listColumns(body) };
    await tx
      .insertInto('price_lists')
      .values({ ...row, name: body.name })
      .execute();
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({ price_list: await findPriceList(db, actor, id) }),
};

export const editPriceList: Mutation<typeof lists.editPriceList, Saved> = {
  audit: { action: 'pricelist.edit', subject: priceListSubject },
  commit: async (tx, { actor }, { params: { id }, body }) => {
    await findPriceList(tx, actor, id);
    await checkPrices(tx, actor, body);
    const columns = listColumns(body);
    if (Object.keys(columns).length > 0) {
      await tx.updateTable('price_lists').set(columns).where('id', '=', id).execute();
    }
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({ price_list: await findPriceList(db, actor, id) }),
};

export const deletePriceList: Mutation<typeof lists.deletePriceList, Saved> = {
  audit: { action: 'pricelist.delete', subject: priceListSubject },
  commit: async (tx, { actor }, { params: { id } }) => {
    // The list is locked before its accounts are counted, so that an assignment in progress is waited for.
    await tx.selectFrom('price_lists').select('id').where('id', '=', id).forUpdate().execute();
    const { account_count: count } = await findPriceList(tx, actor, id);
    if (count > 0) fail('PRICE_LIST_IN_USE', { count });
    await tx.deleteFrom('price_lists').where('id', '=', id).execute();
    return { id };
  },
  reply: async () => ({ success: true }),
};

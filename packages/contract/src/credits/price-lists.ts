import * as z from 'zod';
import { sellers } from '../accounts/accounts.ts';
import { creation, done, endpoint, entity, ofRecord } from '../endpoint.ts';
import { invalid, moment, planId } from '../fields/fields.ts';
import { months } from '../fields/line-fields.ts';
import { requiredName } from '../fields/names.ts';
import { price } from './plans.ts';

/** The most price lists that an account can have. */
export const MAX_PRICE_LISTS = 100;
const MAX_LIST_TERMS = 200;
const MAX_FACTOR = 100;

/**
 * A factor of prices, from 0.01 to 100 in steps of a hundredth, so that 10 credits times 0.9 are exactly 9. Prices are
 * rounded up to whole credits.
 */
const factor = z
  .number(invalid)
  .min(0.01, { error: 'NUMBER_TOO_SMALL' })
  .max(MAX_FACTOR, { error: 'NUMBER_TOO_LARGE' })
  .refine((number) => Math.round(number * 100) === Number((number * 100).toFixed(6)), invalid);

const listTerm = z.object({ plan_id: planId, months, credits: price });
export type ListTerm = z.output<typeof listTerm>;

const listTerms = z
  .array(listTerm)
  .min(1, { error: 'REQUIRED' })
  .max(MAX_LIST_TERMS, { error: 'TOO_MANY_VALUES' })
  .superRefine((terms, check) => {
    const seen = new Set<string>();
    for (const [index, { plan_id, months: of }] of terms.entries()) {
      const key = `${plan_id} ${of}`;
      if (seen.has(key)) {
        check.addIssue({ code: 'custom', path: [index, 'months'], message: 'TERM_TWICE' });
      }
      seen.add(key);
    }
  });

/** Prices for accounts below: a factor on the owner's prices, or fixed prices for some terms. */
export const priceList = entity('PriceList', {
  id: z.string(),
  name: z.string(),
  /** The account that owns the list; null for a list of the panel, which administrators share. */
  owner_id: z.string().nullable(),
  factor: z.number().nullable(),
  /** The fixed prices; empty with a factor. A term that is not listed has the owner's price. */
  terms: z.array(
    z.object({ plan_id: z.string(), months: z.number().int(), credits: z.number().int() }),
  ),
  account_count: z.number().int(),
  created_at: moment,
});
export type PriceList = z.output<typeof priceList>;

const isOneWay = ({ factor: by, terms }: { factor?: unknown; terms?: unknown }) =>
  (by === undefined) !== (terms === undefined);
const oneWay = { path: ['factor'], error: 'FACTOR_OR_TERMS' };

const ofPriceList = ofRecord(sellers, 'PRICE_LIST_NOT_FOUND');
/** The refusals are separate from the calls, because the build of the web app removes errors from calls. */
const refusals = ['PRICE_BELOW_OWN', 'PLAN_NOT_FOUND', 'FACTOR_OR_TERMS'] as const;

export const listPriceLists = endpoint('listPriceLists', 'GET /api/price-lists', {
  summary: 'List your own price lists',
  description:
    'Lists the price lists that you can give to accounts, by name: the lists of the panel for administrators, your own otherwise.',
  access: sellers,
  output: z.object({ items: z.array(priceList) }),
});

export const createPriceList = endpoint('createPriceList', 'POST /api/price-lists', {
  ...creation,
  summary: 'Create a price list',
  description:
    'Creates a list from a factor or from prices of its own. A price below what you pay yourself is refused.',
  access: sellers,
  body: z
    .object({
      name: requiredName(100),
      factor: factor.optional(),
      terms: listTerms.optional(),
    })
    .refine(isOneWay, oneWay),
  output: z.object({ price_list: priceList }),
  errors: refusals,
});

export const editPriceList = endpoint('editPriceList', 'PATCH /api/price-lists/{id}', {
  ...ofPriceList,
  summary: 'Change a price list',
  description:
    'Changes the fields that you send. A factor replaces the prices of its own, and prices of its own replace the factor.',
  body: z
    .object({
      name: requiredName(100).optional(),
      factor: factor.optional(),
      terms: listTerms.optional(),
    })
    .refine(({ factor: by, terms }) => by === undefined || terms === undefined, oneWay),
  output: z.object({ price_list: priceList }),
  errors: refusals,
});

export const deletePriceList = endpoint('deletePriceList', 'DELETE /api/price-lists/{id}', {
  ...ofPriceList,
  summary: 'Delete a price list',
  description: 'Deletes a list that no account has.',
  output: done,
  errors: ['PRICE_LIST_IN_USE'],
});

import { cheapestCover, type Price, terms } from '@linekeeper/contract/pricing.ts';
import type { Db } from '../../db/transaction.ts';
import type { SignedIn } from '../access.ts';

/**
 * Credits that a payer owes for a number of months. Quotes, sales, renewals, date changes, jobs and
 * undo all use this function, so that payers can have their own prices. It is called for every line
 * of a job, so an implementation that reads a price list must cache it for the transaction.
 */
export type PriceFor = (db: Db, payer: SignedIn, months: number) => Promise<number>;

export const priceFor: PriceFor = async (_db, _payer, months) => cheapestCover(months);

/** The payer's price for each term on sale. */
export function readPriceList(db: Db, payer: SignedIn, priceOf: PriceFor): Promise<Price[]> {
  return Promise.all(
    terms.map(async (months) => ({ months, cost: await priceOf(db, payer, months) })),
  );
}

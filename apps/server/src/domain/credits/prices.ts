import { cheapestCover, type Price, terms } from '@linekeeper/contract/pricing.ts';
import type { Db } from '../../db/transaction.ts';
import type { SignedIn } from '../context/access.ts';
import type { PriceFor } from '../context/context.ts';

export const priceFor: PriceFor = async (_db, _payer, months) => cheapestCover(months);

/** The payer's price for each term on sale. */
export function readPriceList(db: Db, payer: SignedIn, priceOf: PriceFor): Promise<Price[]> {
  return Promise.all(
    terms.map(async (months) => ({ months, cost: await priceOf(db, payer, months) })),
  );
}

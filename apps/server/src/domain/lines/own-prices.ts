import { preferences } from '@linekeeper/contract/lists/preferences.ts';
import type { Db } from '../../db/transaction.ts';

const { currency, credit_minor, own_prices } = preferences.shape;

/** An account's prices for its customers, and what one credit costs the account; invalid parts count as not chosen. */
export async function readOwnPrices(db: Db, account_id: string) {
  const settings = await db
    .selectFrom('account_settings')
    .select('value')
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  const stored = (settings?.value ?? {}) as Record<string, unknown>;
  return {
    currency: currency.safeParse(stored.currency).data ?? null,
    credit_minor: credit_minor.safeParse(stored.credit_minor).data ?? null,
    own_prices: own_prices.safeParse(stored.own_prices).data ?? [],
  };
}

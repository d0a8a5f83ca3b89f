import type { PriceList } from '@linekeeper/contract/credits/price-lists.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { sentRow } from '../../platform/rows.ts';
import type { SignedIn } from '../context/access.ts';

/**
 * SQL condition: the account may change and assign the list. Administrators may for the panel's
 * lists, others for their own.
 */
export const isListOf = ({ id, is_admin }: SignedIn, owner = sql.ref('price_lists.owner_id')) =>
  is_admin ? sql<SqlBool>`${owner} is null` : sql<SqlBool>`${owner} = ${id}`;

export async function readPriceLists(db: Db, actor: SignedIn): Promise<PriceList[]> {
  const rows = await db
    .selectFrom('price_lists')
    .select(['id', 'name', 'owner_id', 'factor_percent', 'terms', 'created_at'])
    .select(
      sql<number>`(select count(*) from auth_users
        where price_list_id = price_lists.id)::integer`.as('account_count'),
    )
    .where(isListOf(actor))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  return rows.map(({ factor_percent, ...row }) => ({
    ...sentRow(row),
    factor: factor_percent === null ? null : factor_percent / 100,
  }));
}

/** The price list with this ID, if the actor can see it. Throws PRICE_LIST_NOT_FOUND. */
export async function findPriceList(db: Db, actor: SignedIn, id: string): Promise<PriceList> {
  const found = (await readPriceLists(db, actor)).find((list) => list.id === id);
  return found ?? fail('PRICE_LIST_NOT_FOUND');
}

/**
 * Keeps a list from being deleted until the account has it. Throws PRICE_LIST_NOT_FOUND, also for an account that is not
 * below the list's owner.
 */
export async function holdPriceList(
  tx: Tx,
  actor: SignedIn,
  id: string,
  accountId: string,
): Promise<void> {
  const list = await tx
    .selectFrom('price_lists')
    .select('id')
    .where('id', '=', id)
    .where(isListOf(actor))
    .where(
      sql<SqlBool>`(owner_id is null or exists (select from account_tree
        where ancestor_id = owner_id and account_id = ${accountId} and depth > 0))`,
    )
    .forKeyShare()
    .executeTakeFirst();
  if (!list) fail('PRICE_LIST_NOT_FOUND');
}

import type * as contract from '@linekeeper/contract/credits/redeem-codes.ts';
import { codeKey } from '@linekeeper/contract/credits/redeem-codes.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { redemptionsList } from '@linekeeper/contract/lists/lists.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { readPage } from '../../platform/paging/pages.ts';

type Filters = Parsed<typeof contract.listRedemptions>['query'];
type History = SelectQueryBuilder<Database, 'redeem_code_history', object>;

const sortColumns: SortColumns<typeof redemptionsList> = {
  redeemed_at: { ref: 'redeem_code_history.redeemed_at', type: 'timestamptz' },
};

/** The actor's own tries, not those of its subtree, because a reader of another's code could redeem it. */
function matchHistory(db: Db, actor: SignedIn, filters: Filters): History {
  const all: History = db.selectFrom('redeem_code_history');
  const seen = actor.is_admin ? all : all.where('user_id', '=', actor.id);
  return filtered(redemptionsList, seen, filters, {
    status: 'redeem_code_history.status',
    user_id: 'user_id',
    code_id: 'code_id',
    q: (text) => sql<SqlBool>`upper(regexp_replace(code, '[\\s-]', '', 'g'))
      like ${`%${escapeLike(codeKey(text))}%`}`,
  });
}

async function sumCredits(matching: History): Promise<number> {
  const { credits } = await matching
    .select(sql<number>`coalesce(sum(redeem_code_history.credits), 0)::bigint`.as('credits'))
    .executeTakeFirstOrThrow();
  return credits;
}

export const listRedemptions: Action<typeof contract.listRedemptions> = async (
  { db, actor },
  { query },
) => {
  const matching = matchHistory(db, actor, query);
  const rows = db
    .selectFrom('redeem_code_history')
    .innerJoin('auth_users', 'auth_users.id', 'redeem_code_history.user_id')
    .select([
      'redeem_code_history.id',
      'code_id',
      'code',
      'redeem_code_history.credits',
      'user_id',
      'auth_users.email as user_email',
      'redeemed_at',
      'redeem_code_history.status',
      'transfer_id',
    ]);
  const page = await readPage(db, query, sortColumns, 'redeem_code_history.id', matching, rows);
  const items = page.items.map(({ redeemed_at, ...row }) => ({
    ...row,
    redeemed_at: redeemed_at.toISOString(),
  }));
  return { ...page, items, credits: await sumCredits(matching) };
};

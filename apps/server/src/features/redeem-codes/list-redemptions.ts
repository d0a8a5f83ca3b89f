import type * as contract from '@linekeeper/contract/credits/redeem-codes.ts';
import { codeKey } from '@linekeeper/contract/credits/redeem-codes.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { readPage, type SortColumn } from '../../platform/paging/pages.ts';

type Filters = Parsed<typeof contract.listRedemptions>['query'];
type History = SelectQueryBuilder<Database, 'redeem_code_history', object>;

const sortColumns: Record<string, SortColumn> = {
  redeemed_at: { ref: 'redeem_code_history.redeemed_at', type: 'timestamptz' },
};

/** The actor's own tries, not those of its subtree, because a reader of another's code could redeem it. */
function matchHistory(db: Db, actor: SignedIn, { q, status, user_id, code_id }: Filters): History {
  let found: History = db.selectFrom('redeem_code_history');
  if (!actor.is_admin) found = found.where('user_id', '=', actor.id);
  if (status) found = found.where('redeem_code_history.status', 'in', status);
  if (user_id) found = found.where('user_id', 'in', user_id);
  if (code_id) found = found.where('code_id', 'in', code_id);
  if (q) {
    const key = sql<string>`upper(regexp_replace(code, '[\\s-]', '', 'g'))`;
    found = found.where(key, 'like', `%${escapeLike(codeKey(q))}%`);
  }
  return found;
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

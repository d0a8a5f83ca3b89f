import type * as contract from '@linekeeper/contract/credits/redeem-codes.ts';
import {
  codeKey,
  type RedeemCode,
  type RedeemCodeStatus,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { redeemCodesList, redemptionsList } from '@linekeeper/contract/lists/lists.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { ownScope, visibleTo } from '../../domain/context/access.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { listAsCsv } from '../../platform/paging/csv.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';

export const hasExpired = sql<boolean>`coalesce(redeem_codes.expires_at <= clock_timestamp(), false)`;

const status = sql<RedeemCodeStatus>`case
  when not redeem_codes.is_active then 'inactive'
  when redeem_codes.times_used >= redeem_codes.max_uses then 'used'
  when ${hasExpired} then 'expired'
  else 'active' end`;

const codeSorts: SortColumns<typeof redeemCodesList> = {
  created_at: { ref: 'redeem_codes.created_at', type: 'timestamptz' },
  code: { ref: 'redeem_codes.code', type: 'text' },
  credits: { ref: 'redeem_codes.credits', type: 'bigint' },
  times_used: { ref: 'redeem_codes.times_used', type: 'bigint' },
  expires_at: {
    ref: sql`coalesce(redeem_codes.expires_at, 'infinity'::timestamptz)`,
    type: 'timestamptz',
  },
};

function selectCodes(db: Db) {
  return db.selectFrom('redeem_codes').selectAll().select(status.as('status'));
}
/** SQL condition: a code contains the typed text, regardless of how its letters are grouped. */
const contains = (column: string, text: string) =>
  sql<SqlBool>`${sql.raw(column)} like ${`%${escapeLike(codeKey(text))}%`}`;

export async function listRedeemCodes(
  db: Db,
  query: Parsed<typeof contract.listRedeemCodes>['query'],
): Promise<Page<RedeemCode>> {
  const matching = filtered(redeemCodesList, db.selectFrom('redeem_codes'), query, {
    status,
    q: (text) => sql<SqlBool>`(${contains('code_key', text)}
      or fold(description) like fold(${`%${escapeLike(text)}%`}))`,
  });
  const page = await readPage(db, query, codeSorts, 'redeem_codes.id', matching, selectCodes(db));
  return { ...page, items: page.items.map(sentRow) };
}

/** Redeem codes in the order of their ids, which is the order in which they were created. */
export async function findRedeemCodes(db: Db, ids: readonly string[]): Promise<RedeemCode[]> {
  const rows = await selectCodes(db)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();
  return rows.map(sentRow);
}

/** The redeem code with this ID. Throws REDEEM_CODE_NOT_FOUND. */
export async function findRedeemCode(db: Db, id: string): Promise<RedeemCode> {
  const [code] = await findRedeemCodes(db, [id]);
  return code ?? fail('REDEEM_CODE_NOT_FOUND');
}

const csvColumns = [
  'code',
  'credits',
  'description',
  'status',
  'is_active',
  'times_used',
  'max_uses',
  'expires_at',
  'created_at',
] as const;

export const redeemCodesCsv: Action<typeof contract.redeemCodesCsv> = async (ctx, { query }) =>
  listAsCsv(ctx, 'redeem-codes', query, csvColumns, (asked) => listRedeemCodes(ctx.db, asked));

const redemptionSorts: SortColumns<typeof redemptionsList> = {
  redeemed_at: { ref: 'redeem_code_history.redeemed_at', type: 'timestamptz' },
};

/** Lists the actor's own attempts, not those of its subtree, because a reader of another's code could redeem it. */
export const listRedemptions: Action<typeof contract.listRedemptions> = async (
  { db, actor },
  { query },
) => {
  const seen: SelectQueryBuilder<Database, 'redeem_code_history', object> = db
    .selectFrom('redeem_code_history')
    .where(visibleTo(ownScope(actor), 'user_id'));
  const matching = filtered(redemptionsList, seen, query, {
    status: 'redeem_code_history.status',
    user_id: 'user_id',
    code_id: 'code_id',
    q: (text) => contains(String.raw`upper(regexp_replace(code, '[\s-]', '', 'g'))`, text),
  });
  const rows = db
    .selectFrom('redeem_code_history')
    .innerJoin('auth_users', 'auth_users.id', 'redeem_code_history.user_id')
    .selectAll('redeem_code_history')
    .select('auth_users.email as user_email');
  const page = await readPage(db, query, redemptionSorts, 'redeem_code_history.id', matching, rows);
  const { credits } = await matching
    .select(sql<number>`coalesce(sum(redeem_code_history.credits), 0)::bigint`.as('credits'))
    .executeTakeFirstOrThrow();
  return { ...page, items: page.items.map(sentRow), credits };
};

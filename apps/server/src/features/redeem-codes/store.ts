import type * as contract from '@linekeeper/contract/credits/redeem-codes.ts';
import {
  codeKey,
  type RedeemCode,
  type RedeemCodeStatus,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { redeemCodesList } from '@linekeeper/contract/lists/lists.ts';
import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { RedeemCodesTable } from '../../db/schema/top-up-schema.ts';
import type { Db } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';

type CodesQuery = Parsed<typeof contract.listRedeemCodes>['query'];
type Codes = SelectQueryBuilder<Database, 'redeem_codes', object>;

const columns = [
  'id',
  'code',
  'credits',
  'description',
  'is_active',
  'created_by',
  'created_at',
  'max_uses',
  'times_used',
  'expires_at',
] as const;

export const hasExpired = sql<boolean>`coalesce(redeem_codes.expires_at <= clock_timestamp(), false)`;

const status = sql<RedeemCodeStatus>`case
  when not redeem_codes.is_active then 'inactive'
  when redeem_codes.times_used >= redeem_codes.max_uses then 'used'
  when ${hasExpired} then 'expired'
  else 'active' end`;

const sortColumns: SortColumns<typeof redeemCodesList> = {
  created_at: { ref: 'redeem_codes.created_at', type: 'timestamptz' },
  code: { ref: 'redeem_codes.code', type: 'text' },
  credits: { ref: 'redeem_codes.credits', type: 'bigint' },
  times_used: { ref: 'redeem_codes.times_used', type: 'bigint' },
  expires_at: {
    ref: sql`coalesce(redeem_codes.expires_at, 'infinity'::timestamptz)`,
    type: 'timestamptz',
  },
};

type Row = Pick<Selectable<RedeemCodesTable>, (typeof columns)[number]> &
  Pick<RedeemCode, 'status'>;

function toRedeemCode({ created_at, expires_at, ...row }: Row): RedeemCode {
  return {
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  };
}

function selectCodes(db: Db) {
  return db.selectFrom('redeem_codes').select(columns).select(status.as('status'));
}

type Filters = Omit<CodesQuery, 'limit' | 'cursor' | 'sort'>;

function filterCodes(db: Db, filters: Filters): Codes {
  return filtered(redeemCodesList, db.selectFrom('redeem_codes') as Codes, filters, {
    status,
    q: (text) => sql<SqlBool>`(code_key like ${`%${escapeLike(codeKey(text))}%`}
      or fold(description) like fold(${`%${escapeLike(text)}%`}))`,
  });
}

type PageRequest = Pick<CodesQuery, 'sort' | 'limit' | 'cursor'>;

export async function listRedeemCodes(
  db: Db,
  query: PageRequest & Filters,
): Promise<Page<RedeemCode>> {
  const matching = filterCodes(db, query);
  const page = await readPage(db, query, sortColumns, 'redeem_codes.id', matching, selectCodes(db));
  return { ...page, items: page.items.map(toRedeemCode) };
}

/** In the order of their ids, which is the order in which they were made. */
export async function findRedeemCodes(db: Db, ids: readonly string[]): Promise<RedeemCode[]> {
  const rows = await selectCodes(db)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();
  return rows.map(toRedeemCode);
}

/** Throws REDEEM_CODE_NOT_FOUND. */
export async function findRedeemCode(db: Db, id: string): Promise<RedeemCode> {
  const [code] = await findRedeemCodes(db, [id]);
  return code ?? fail('REDEEM_CODE_NOT_FOUND');
}

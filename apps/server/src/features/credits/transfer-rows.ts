import type { TransferKind } from '@linekeeper/contract/accounts/accounts.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { CreditTransfersTable } from '../../db/schema/append-only-schema.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { type Scope, visibleTo } from '../../domain/context/access.ts';
import { bundleColumns } from '../../domain/credits/bundles.ts';
import { type TransferRow, transferColumns } from '../../domain/credits/credits.ts';
import { refundableKinds } from '../../domain/credits/refund.ts';

/** Rows of one table under one name, or a union of them under the same. */
export type Transfers = SelectQueryBuilder<
  Database & { transfer: CreditTransfersTable },
  'transfer',
  object
>;

export const columns = transferColumns;

const paidKinds = sql.join(refundableKinds.map((kind) => sql.lit(kind)));

/** From the term of a sale or renewal, or of the one that is refunded. */
const ofTerm = (column: 'months' | 'expiry_date') => sql`(
  select ${sql.ref(`term.${column}`)} from sold_terms term
    where term.transfer_id = coalesce(transfer.refund_of, transfer.id))`;

const ofRefunded = (column: 'kind' | 'created_at') => sql`(
  select ${sql.ref(`refunded.${column}`)} from credit_transfers refunded
    where refunded.id = transfer.refund_of)`;

/** The line, code or top-up behind a transfer, each from another table. */
export interface About {
  months: number | null;
  expiry_date: string | null;
  code: string | null;
  refunded_kind: string | null;
  refunded_created_at: Date | null;
  refunded_at: Date | null;
  bundle_count: number | null;
  bundle_credits: number | null;
}

/** Selects that. Codes, which others could redeem too, are for who redeemed them and administrators. */
export const aboutTransfer = (reader: Scope, inBundles: boolean) => [
  ...(inBundles
    ? bundleColumns('transfer')
    : [sql<null>`null`.as('bundle_count'), sql<null>`null`.as('bundle_credits')]),
  sql<number | null>`${ofTerm('months')}`.as('months'),
  sql<string | null>`${ofTerm('expiry_date')}`.as('expiry_date'),
  sql<string | null>`case transfer.kind when 'redeem' then (
    select code from redeem_code_history redeemed where redeemed.transfer_id = transfer.id
      and ${reader.sees_all ? sql`true` : sql`redeemed.user_id = ${reader.account_id}`}) end`.as(
    'code',
  ),
  sql<string | null>`${ofRefunded('kind')}`.as('refunded_kind'),
  sql<Date | null>`${ofRefunded('created_at')}`.as('refunded_created_at'),
  sql<Date | null>`case when transfer.kind in (${paidKinds}) then (
    select refund.created_at from credit_transfers refund
      where refund.refund_of = transfer.id) end`.as('refunded_at'),
];

/** The facts that the API gives of a transfer. */
export function toAbout({
  kind,
  refunded_kind,
  refunded_created_at,
  bundle_count,
  bundle_credits,
  ...about
}: TransferRow & About) {
  const refunded_at = about.refunded_at?.toISOString() ?? null;
  return {
    months: about.months,
    expiry_date: about.expiry_date,
    code: about.code,
    refunds:
      refunded_kind && refunded_created_at
        ? { kind: refunded_kind as TransferKind, created_at: refunded_created_at.toISOString() }
        : null,
    refunded_at,
    bundle:
      bundle_count !== null && bundle_credits !== null
        ? { count: bundle_count, amount: bundle_credits }
        : null,
    is_refundable: refundableKinds.includes(kind) && refunded_at === null,
  };
}

export const isOn = (column: string, account_id: string) =>
  sql<SqlBool>`${sql.ref(`transfer.${column}`)} = ${account_id}`;

/**
 * A union of sent and received transfers: each has its own index in list order, which an OR could
 * not use. `sideOf` narrows each side.
 */
export function bothSides(
  db: Db,
  sideOf: (side: Transfers, column: 'from_id' | 'to_id') => Transfers,
): Transfers {
  const all = db.selectFrom('credit_transfers as transfer').select(columns) as Transfers;
  const [sent, received] = [sideOf(all, 'from_id'), sideOf(all, 'to_id')];
  return db.selectFrom(
    sql<TransferRow>`(${sent} union all ${received})`.as('transfer'),
  ) as Transfers;
}

/**
 * The transfers of an account and of those below it. Each account's are read along its own index, at most as many as
 * the list needs: a plan over all of them together reads every transfer of the panel. Within the
 * subtree, a transfer belongs to its sender.
 */
export function ofSubtree(db: Db, scope: Scope, ofEach: (own: Transfers) => Transfers): Transfers {
  return bothSides(db, (all, column) => {
    const own = all.where(sql<SqlBool>`${sql.ref(`transfer.${column}`)} = below.account_id`);
    const counted =
      column === 'from_id'
        ? own
        : own.where((where) => where.not(visibleTo(scope, 'transfer.from_id')));
    const transfer = ofEach(counted.limit(sql.lit(MOST_COUNTED + 1)));
    const below = sql`account_tree as below cross join lateral (${transfer})`;
    return db
      .selectFrom(sql<TransferRow>`${below}`.as('transfer'))
      .select(columns)
      .where(sql<SqlBool>`below.ancestor_id = ${scope.account_id}`) as unknown as Transfers;
  });
}

import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { transferColumns } from '../../core/credits/credits.ts';
import type { CreditTransfersTable } from '../../db/append-only-schema.ts';
import type { Database } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

export type TransferRow = Selectable<CreditTransfersTable>;

/** Rows of one table under one name, or a union of them under the same. */
export type Transfers = SelectQueryBuilder<
  Database & { transfer: CreditTransfersTable },
  'transfer',
  object
>;

export const columns = transferColumns;

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

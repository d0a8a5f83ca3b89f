import type * as contract from '@linekeeper/contract/credits/redeem-codes.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { pagesAsCsv } from '../../platform/paging/csv.ts';
import { listRedeemCodes } from './store.ts';

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

export const redeemCodesCsv: Action<typeof contract.redeemCodesCsv> = async (ctx, { query }) => {
  ctx.saveAs(`redeem-codes-${ctx.today()}.csv`);
  return pagesAsCsv(
    csvColumns,
    query.sort,
    ({ cursor, limit }) => listRedeemCodes(ctx.db, { ...query, cursor, limit }),
    (code) => csvColumns.map((column) => code[column]),
  );
};

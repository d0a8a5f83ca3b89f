import type * as contract from '@linekeeper/contract/credits/top-ups.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { pagesAsCsv } from '../../platform/paging/csv.ts';
import { listTopUps } from './store.ts';

const csvColumns = [
  'number',
  'created_at',
  'account_email',
  'package_name',
  'credits',
  'price_minor',
  'currency',
  'method',
  'status',
  'decided_at',
  'reason',
  'note',
  'returned_credits',
  'owed_credits',
] as const;

export const topUpsCsv: Action<typeof contract.topUpsCsv> = async (ctx, { query }) => {
  ctx.saveAs(`top-ups-${ctx.today()}.csv`);
  return pagesAsCsv(
    csvColumns,
    query.sort,
    ({ cursor, limit }) => listTopUps(ctx.db, ctx.actor, { ...query, cursor, limit }),
    (topUp) => csvColumns.map((column) => topUp[column]),
  );
};

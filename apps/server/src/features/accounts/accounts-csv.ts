import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { pagesAsCsv } from '../../platform/paging/csv.ts';
import { listAccounts } from './store.ts';

const csvColumns = [
  'email',
  'username',
  'full_name',
  'credits',
  'line_count',
  'subtree_count',
  'status',
  'group_id',
  'last_sign_in_at',
  'created_at',
  'notes',
] as const;

export const accountsCsv: Action<typeof contract.accountsCsv> = async (ctx, { query }) => {
  ctx.saveAs(`accounts-${ctx.today()}.csv`);
  return pagesAsCsv(
    csvColumns,
    query.sort,
    ({ cursor, limit }) => listAccounts(ctx.db, ctx.actor, { ...query, cursor, limit }),
    (account) => csvColumns.map((column) => account[column]),
  );
};

import type { Account } from '@linekeeper/contract/accounts.ts';
import { accountScope, type SignedIn, visibleTo } from '../../core/access.ts';
import { accountColumns, toAccount } from '../../core/accounts.ts';
import { literalInPattern } from '../../core/literal.ts';
import { type Page, readPage, type SortColumn } from '../../core/pages.ts';
import type { Db } from '../../db/transaction.ts';

const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'auth_users.created_at', type: 'timestamptz' },
  email: { ref: 'auth_users.email', type: 'text' },
  credits: { ref: 'auth_users.credits', type: 'bigint' },
};

export interface AccountFilters {
  q?: string | undefined;
  group_id?: string | undefined;
  status?: 'active' | 'suspended' | undefined;
  owner_id?: string | undefined;
}

export async function listAccounts(
  db: Db,
  actor: SignedIn,
  query: AccountFilters & { limit: number; sort: string; cursor?: string | undefined },
): Promise<Page<Account>> {
  let matching = db.selectFrom('auth_users').where(visibleTo(accountScope(actor), 'auth_users.id'));
  if (query.group_id) matching = matching.where('group_id', '=', query.group_id);
  if (query.status) matching = matching.where('banned', '=', query.status === 'suspended');
  if (query.owner_id) matching = matching.where('owner_id', '=', query.owner_id);
  if (query.q) {
    const pattern = `%${literalInPattern(query.q)}%`;
    matching = matching.where((where) =>
      where.or([
        where('email', 'ilike', pattern),
        where('username', 'ilike', pattern),
        where('full_name', 'ilike', pattern),
      ]),
    );
  }
  const rows = db.selectFrom('auth_users').select(accountColumns);
  const page = await readPage(db, query, sortColumns, 'auth_users.id', matching, rows);
  return { ...page, items: page.items.map(toAccount) };
}

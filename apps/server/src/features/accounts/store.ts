import type { Account } from '@linekeeper/contract/accounts.ts';
import { accountScope, type Scope, type SignedIn, visibleTo } from '../../core/access.ts';
import { shownCredits } from '../../core/balance.ts';
import { literalInPattern } from '../../core/literal.ts';
import { type Page, readPage, type SortColumn } from '../../core/pages.ts';
import { fail } from '../../core/refusal.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

const columns = [
  'id',
  'email',
  'username',
  'full_name',
  'notes',
  'credits',
  'group_id',
  'is_admin',
  'owner_id',
  'banned',
  'created_at',
  'last_sign_in_at',
] as const;

const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'auth_users.created_at', type: 'timestamptz' },
  email: { ref: 'auth_users.email', type: 'text' },
  credits: { ref: 'auth_users.credits', type: 'bigint' },
};

function toAccount(row: Pick<AccountRow, (typeof columns)[number]>): Account {
  const { id, email, username, full_name, notes, group_id, is_admin, owner_id, banned } = row;
  return {
    id,
    email,
    username,
    full_name,
    notes,
    group_id,
    is_admin,
    owner_id,
    banned,
    credits: shownCredits(row),
    status: banned ? 'suspended' : 'active',
    created_at: row.created_at.toISOString(),
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  };
}

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
  const rows = db.selectFrom('auth_users').select(columns);
  const page = await readPage(db, query, sortColumns, 'auth_users.id', matching, rows);
  return { ...page, items: page.items.map(toAccount) };
}

/** Throws USER_NOT_FOUND for a missing account and for one outside the scope alike. */
export async function findAccount(db: Db, scope: Scope, id: string): Promise<Account> {
  const row = await db
    .selectFrom('auth_users')
    .select(columns)
    .where('id', '=', id)
    .where(visibleTo(scope, 'auth_users.id'))
    .executeTakeFirst();
  return row ? toAccount(row) : fail('USER_NOT_FOUND');
}

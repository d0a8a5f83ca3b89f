import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';

/**
 * SQL condition: the account in `column` stands above `readerId`, who is no administrator. It is one, or
 * an owner above, or opens everybody's lines, which the reader does not.
 */
export function standsAbove(column: string, readerId: string) {
  const other = sql.ref(column);
  const opensAll = (id: unknown) => sql<SqlBool>`exists (
    select from auth_users account join groups on groups.id = account.group_id
      where account.id = ${id} and 'manage_users' = any (groups.permissions))`;
  return sql<boolean>`(${other} <> ${readerId}::uuid
    and not exists (select from auth_users where id = ${readerId}::uuid and is_admin)
    and (exists (select from auth_users where id = ${other} and is_admin)
      or exists (select from account_tree
        where ancestor_id = ${other} and account_id = ${readerId}::uuid)
      or (${opensAll(other)} and not ${opensAll(sql`${readerId}::uuid`)})))`;
}

/** The ids of all accounts that an account is below. */
export async function readAbove(tx: Tx, id: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('account_tree')
    .select('ancestor_id')
    .where('account_id', '=', id)
    .where('depth', '>', 0)
    .execute();
  return new Set(rows.map(({ ancestor_id }) => ancestor_id));
}

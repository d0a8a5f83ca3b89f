import { type SqlBool, sql } from 'kysely';
import type { SignedIn } from '../../../core/access.ts';
import { fail } from '../../../core/refusal.ts';
import type { Db } from '../../../db/transaction.ts';
import type { ChangeableLine } from '../locked-line.ts';

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

/**
 * Tells of each line whether the actor may change or lift its suspension, which nobody does that an
 * account above has set. Each such account is looked up once. Throws SUSPENDED_FROM_ABOVE.
 */
export function overruler(db: Db, actor: SignedIn) {
  const known = new Map<string, Promise<boolean>>();
  const isAbove = async (id: string) => {
    const { is_above = false } =
      (await db
        .selectFrom('auth_users as suspender')
        .select(standsAbove('suspender.id', actor.id).as('is_above'))
        .where('suspender.id', '=', id)
        .executeTakeFirst()) ?? {};
    return is_above;
  };
  return async ({ suspension }: Pick<ChangeableLine, 'suspension'>): Promise<void> => {
    const by_id = suspension?.by_id;
    if (!by_id || by_id === actor.id || actor.is_admin) return;
    const answer = known.get(by_id) ?? isAbove(by_id);
    known.set(by_id, answer);
    if (await answer) fail('SUSPENDED_FROM_ABOVE');
  };
}

import type * as contract from '@linekeeper/contract/accounts/groups.ts';
import type { Group } from '@linekeeper/contract/accounts/groups.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { groupsList } from '@linekeeper/contract/lists/lists.ts';
import { permissions } from '@linekeeper/contract/permissions.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import { accountScope, isVisibleTo, type SignedIn } from '../../domain/context/access.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';
import { lockName, sentRow } from '../../platform/rows.ts';

const columns = ['id', 'name', 'description', 'permissions', 'created_at'] as const;

const memberCount = sql<number>`(
  select count(*) from auth_users where auth_users.group_id = groups.id)`;

const sortColumns: SortColumns<typeof groupsList> = {
  created_at: { ref: 'groups.created_at', type: 'timestamptz' },
  name: { ref: sql`lower(groups.name)`, type: 'text' },
  member_count: { ref: memberCount, type: 'bigint' },
};

/** SQL of the account that created a group, from the audit log; group ids are never reused, see nextGroupId. */
const makerOf = (actor: SignedIn) => sql<string | null>`(
  select ${accountName('maker')}
    from audit_log entry join auth_users maker on maker.id = entry.actor_id
    where entry.subject_type = 'group' and entry.subject_id = groups.id
      and entry.action = 'group.create' and ${isVisibleTo(accountScope(actor), 'maker.id')} limit 1)`;

function groupRows(db: Db, actor: SignedIn) {
  return db
    .selectFrom('groups')
    .select(columns)
    .select([memberCount.as('member_count'), makerOf(actor).as('made_by')]);
}
type Row = Awaited<ReturnType<ReturnType<typeof groupRows>['execute']>>[number];

function toGroup(row: Row): Group {
  const granted = permissions.filter((permission) => row.permissions.includes(permission));
  return { ...sentRow(row), permissions: granted };
}

export async function listGroups(
  db: Db,
  actor: SignedIn,
  query: Parsed<typeof contract.listGroups>['query'],
): Promise<Page<Group>> {
  const matching = filtered(groupsList, db.selectFrom('groups'), query, {
    permission: (any) => sql<SqlBool>`groups.permissions && ${any}::text[]`,
    q: (text) => {
      const pattern = `%${escapeLike(text)}%`;
      return sql<SqlBool>`(name ilike ${pattern} or description ilike ${pattern})`;
    },
  });
  const rows = groupRows(db, actor);
  const page = await readPage(db, query, sortColumns, 'groups.id', matching, rows);
  return { ...page, items: page.items.map(toGroup) };
}

/** The group with this ID and its number of members. Throws GROUP_NOT_FOUND. */
export async function findGroup(db: Db, actor: SignedIn, id: string): Promise<Group> {
  const row = await groupRows(db, actor).where('id', '=', id).executeTakeFirst();
  return row ? toGroup(row) : fail('GROUP_NOT_FOUND');
}

/** Locks all groups, so that an id or name which is free stays free until the commit. */
export async function lockGroups(tx: Tx): Promise<void> {
  await lockName(tx, 'groups');
}

/** Checks that no other group has this name, in upper or lower case. Throws GROUP_NAME_EXISTS. */
export async function checkNameIsFree(tx: Tx, name: string, ownId = ''): Promise<void> {
  const other = await tx
    .selectFrom('groups')
    .select('id')
    .where(sql<SqlBool>`lower(name) = lower(${name})`)
    .where('id', '!=', ownId)
    .executeTakeFirst();
  if (other) fail('GROUP_NAME_EXISTS');
}

/**
 * The number after the highest that any group has, or had according to the audit log, so that all entries with one id
 * are about one group.
 */
export async function nextGroupId(tx: Tx): Promise<string> {
  const { rows } = await sql<{ next: string }>`
    select (coalesce(max(id::numeric), 0) + 1)::text as next from (
      select id from groups
      union all
      select subject_id from audit_log where subject_type = 'group'
    ) as known where id ~ '^[0-9]{1,30}$'`.execute(tx);
  return rows[0]?.next ?? '1';
}

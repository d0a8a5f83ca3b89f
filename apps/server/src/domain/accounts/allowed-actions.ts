import {
  type Account,
  type AccountAct,
  accountActs,
  sellers,
} from '@linekeeper/contract/accounts/accounts.ts';
import { can, type Permission } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { accountScope, changedAccountScope, type SignedIn } from '../context/access.ts';
import { bansFromAbove, hasPermissionsOf } from './account-policy.ts';
import { findAccount, type StoredAccount } from './accounts.ts';

interface Relation {
  /** True for the actor's own account and those below it. */
  is_below: boolean;
  permissions: Permission[];
  is_banned_from_above: boolean;
}

async function readRelations(
  db: Db,
  actor: SignedIn,
  accounts: readonly StoredAccount[],
): Promise<Map<string, Relation>> {
  const { rows } = await sql<Relation & { id: string }>`
    select account.id, groups.permissions,
        exists (select from account_tree
          where ancestor_id = ${actor.id} and account_id = account.id) as is_below,
        account.banned and exists ${bansFromAbove(db, actor, sql`account.id::text`)}
          as is_banned_from_above
      from auth_users account join groups on groups.id = account.group_id
      where account.id = any(${accounts.map(({ id }) => id)}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...relation }) => [id, relation]));
}

function actsOfAdmin(actor: SignedIn, { id, banned }: StoredAccount): Set<AccountAct> {
  const acts = new Set<AccountAct>(['addCredits', 'takeBack', 'setCredits', 'edit', 'move']);
  if (id === actor.id) return acts;
  if (!banned) acts.add('resetLink');
  return acts.add('twoFactorOff').add(banned ? 'unban' : 'ban');
}

/**
 * The actions of an actor who is not an administrator, as `checkMovable`, `editAccount` and `lockOtherAccount` allow
 * them.
 */
function actsOfOthers(
  actor: SignedIn,
  { id, banned, is_admin }: StoredAccount,
  { is_below, permissions, is_banned_from_above }: Relation,
): Set<AccountAct> {
  const acts = new Set<AccountAct>();
  if (id === actor.id || is_admin) return acts;
  if (is_below) acts.add('addCredits').add('takeBack');
  if (!is_below && !changedAccountScope(actor).sees_all) return acts;
  acts.add('edit');
  const hasPowers = hasPermissionsOf(actor, { is_admin, permissions });
  if (!banned && hasPowers) acts.add('resetLink').add('ban');
  if (banned && !is_banned_from_above) acts.add('unban');
  return acts;
}

/** The accounts with the actions that the actor may take on each. The endpoints apply the same rules. */
export async function accountsFor(
  db: Db,
  actor: SignedIn,
  accounts: readonly StoredAccount[],
): Promise<Account[]> {
  if (!can(actor, sellers) || accounts.length === 0) {
    return accounts.map((account) => ({ ...account, may: [] }));
  }
  const relations = actor.is_admin ? null : await readRelations(db, actor, accounts);
  const actsOf = (account: StoredAccount) => {
    if (!relations) return actsOfAdmin(actor, account);
    const relation = relations.get(account.id);
    return relation ? actsOfOthers(actor, account, relation) : new Set<AccountAct>();
  };
  return accounts.map((account) => {
    const acts = actsOf(account);
    return { ...account, may: accountActs.filter((act) => acts.has(act)) };
  });
}

/** `findAccount`, with the actions that the actor may take. */
export async function findAccountFor(db: Db, actor: SignedIn, id: string): Promise<Account> {
  const [account] = await accountsFor(db, actor, [await findAccount(db, accountScope(actor), id)]);
  return account as Account;
}

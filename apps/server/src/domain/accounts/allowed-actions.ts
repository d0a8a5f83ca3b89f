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
import { findAccount, type StoredAccount } from './accounts.ts';
import { hasPowersOf } from './account-policy.ts';
import { bansFromAbove } from './bans.ts';

interface Standing {
  /** The reader's own or one below it. */
  is_below: boolean;
  permissions: Permission[];
  is_banned_from_above: boolean;
}

async function readStandings(
  db: Db,
  actor: SignedIn,
  accounts: readonly StoredAccount[],
): Promise<Map<string, Standing>> {
  const ids = accounts.map(({ id }) => id);
  const rows = await db
    .selectFrom('auth_users')
    .innerJoin('groups', 'groups.id', 'auth_users.group_id')
    .select([
      'auth_users.id',
      'groups.permissions',
      sql<boolean>`exists (select from account_tree
        where ancestor_id = ${actor.id} and account_id = auth_users.id)`.as('is_below'),
      sql<boolean>`(auth_users.banned and exists ${bansFromAbove(db, actor, sql`auth_users.id::text`)})`.as(
        'is_banned_from_above',
      ),
    ])
    .where('auth_users.id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ id, permissions, ...standing }) => [
      id,
      { ...standing, permissions: permissions as Permission[] },
    ]),
  );
}

function actsOfAdmin(actor: SignedIn, { id, banned }: StoredAccount): Set<AccountAct> {
  const acts = new Set<AccountAct>(['addCredits', 'takeBack', 'setCredits', 'edit', 'move']);
  if (id === actor.id) return acts;
  if (!banned) acts.add('resetLink');
  return acts.add('twoFactorOff').add(banned ? 'unban' : 'ban');
}

/** For others than administrators: what `checkMovable`, `editAccount` and `lockOtherAccount` let pass. */
function actsOfOthers(
  actor: SignedIn,
  { id, banned, is_admin }: StoredAccount,
  { is_below, permissions, is_banned_from_above }: Standing,
): Set<AccountAct> {
  const acts = new Set<AccountAct>();
  if (id === actor.id || is_admin) return acts;
  if (is_below) acts.add('addCredits').add('takeBack');
  if (!is_below && !changedAccountScope(actor).sees_all) return acts;
  acts.add('edit');
  const hasPowers = hasPowersOf(actor, { is_admin, permissions });
  if (!banned && hasPowers) acts.add('resetLink').add('ban');
  if (banned && !is_banned_from_above) acts.add('unban');
  return acts;
}

/** The accounts with what their reader may do with each, as the calls themselves decide it. */
export async function accountsFor(
  db: Db,
  actor: SignedIn,
  accounts: readonly StoredAccount[],
): Promise<Account[]> {
  if (!can(actor, sellers) || accounts.length === 0) {
    return accounts.map((account) => ({ ...account, may: [] }));
  }
  const standings = actor.is_admin ? null : await readStandings(db, actor, accounts);
  const actsOf = (account: StoredAccount) => {
    if (!standings) return actsOfAdmin(actor, account);
    const standing = standings.get(account.id);
    return standing ? actsOfOthers(actor, account, standing) : new Set<AccountAct>();
  };
  return accounts.map((account) => {
    const acts = actsOf(account);
    return { ...account, may: accountActs.filter((act) => acts.has(act)) };
  });
}

/** As `findAccount`, for a reply to the one who acts. */
export async function findAccountFor(db: Db, actor: SignedIn, id: string): Promise<Account> {
  const [account] = await accountsFor(db, actor, [await findAccount(db, accountScope(actor), id)]);
  return account as Account;
}

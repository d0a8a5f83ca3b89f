import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import type { Me } from '@linekeeper/contract/auth/auth.ts';
import { can } from '@linekeeper/contract/permissions.ts';

export type AccountAct =
  | 'addCredits'
  | 'takeBack'
  | 'setCredits'
  | 'resetLink'
  | 'edit'
  | 'move'
  | 'twoFactorOff'
  | 'ban'
  | 'unban';

/** True if the second step of the account is an administrator's to turn off, where it is on. */
export function mayTurnTwoFactorOff(account: Account, me: Me): boolean {
  return me.is_admin && account.id !== me.id;
}

/** What `me` may do with an account, in the order of the menu. The panel checks it again. */
export function accountActs(account: Account, me: Me): AccountAct[] {
  const isOwn = account.id === me.id;
  // Only an administrator touches another.
  if (account.is_admin && !me.is_admin) return [];
  if (!can(me, ['add_credits', 'manage_resellers'])) return [];
  const acts: AccountAct[] = [];
  // An administrator's balance is not counted.
  if (!account.is_admin && !isOwn && can(me, ['add_credits'])) {
    acts.push('addCredits');
    if (account.credits > 0) acts.push('takeBack');
  }
  if (me.is_admin && !account.is_admin) acts.push('setCredits');
  // Notes are what those above write, so that others change themselves on their profile.
  if (!isOwn || me.is_admin) acts.push('edit');
  if (!isOwn && !account.banned) acts.push('resetLink');
  if (me.is_admin) acts.push('move');
  if (!isOwn) acts.push(account.banned ? 'unban' : 'ban');
  return acts;
}

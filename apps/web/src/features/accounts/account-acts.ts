import type { Account, AccountAct } from '@linekeeper/contract/accounts/accounts.ts';

/** True for an action that would change nothing, so that no request is needed. */
function isIdle({ is_admin, credits }: Account, act: AccountAct): boolean {
  // Administrators have no counted balance.
  if (is_admin) return ['addCredits', 'takeBack', 'setCredits'].includes(act);
  return act === 'takeBack' && credits === 0;
}

/**
 * Actions on an account that can be offered without a further request. Turning off two-factor
 * sign-in is not among them, because the panel has to be asked whether it is on.
 */
export function actsAtOnce(account: Account): AccountAct[] {
  return account.may.filter((act) => act !== 'twoFactorOff' && !isIdle(account, act));
}

import type { Account, AccountAct } from '@linekeeper/contract/accounts/accounts.ts';

/** Asks nothing of the panel where it would change nothing. */
function isIdle({ is_admin, credits }: Account, act: AccountAct): boolean {
  // An administrator's balance is not counted.
  if (is_admin) return ['addCredits', 'takeBack', 'setCredits'].includes(act);
  return act === 'takeBack' && credits === 0;
}

/** Actions that are offered at once. Whether two-factor can be turned off is asked later. */
export function actsAtOnce(account: Account): AccountAct[] {
  return account.may.filter((act) => act !== 'twoFactorOff' && !isIdle(account, act));
}

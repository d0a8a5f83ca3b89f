import type { Account, AccountAct } from '@linekeeper/contract/accounts/accounts.ts';

/** Asks nothing of the panel where it would change nothing. */
function isIdle({ is_admin, credits }: Account, act: AccountAct): boolean {
  // An administrator's balance is not counted.
  if (is_admin) return ['addCredits', 'takeBack', 'setCredits'].includes(act);
  return act === 'takeBack' && credits === 0;
}

/**
 * Actions on an account that are offered without a further request. Whether two-factor sign-in can be turned off has to
 * be asked first.
 */
export function actsAtOnce(account: Account): AccountAct[] {
  return account.may.filter((act) => act !== 'twoFactorOff' && !isIdle(account, act));
}

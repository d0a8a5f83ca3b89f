import { getEmailChange } from '@linekeeper/contract/auth/email-change.ts';
import { getTwoFactor } from '@linekeeper/contract/auth/two-factor.ts';
import { callQuery } from '#platform/api/call-query.ts';

/** The query of the change of address that waits for its confirmation; null if there is none. */
export const emailChangeQuery = () => callQuery('email-change', getEmailChange);

export const twoFactorQuery = () => callQuery('two-factor', getTwoFactor);

import { getEmailChange } from '@linekeeper/contract/auth/email-change.ts';
import { getTwoFactor } from '@linekeeper/contract/auth/two-factor.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

/** The change of the address that waits to be confirmed; null if there is none. */
export function emailChangeQuery() {
  return queryOptions({
    queryKey: ['email-change'],
    queryFn: ({ signal }) => call(getEmailChange, {}, { signal }),
  });
}

export function twoFactorQuery() {
  return queryOptions({
    queryKey: ['two-factor'],
    queryFn: ({ signal }) => call(getTwoFactor, {}, { signal }),
  });
}

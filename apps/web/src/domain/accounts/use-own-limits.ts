import { getLimits } from '@linekeeper/contract/accounts/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';

export const limitsQuery = (id: string) => callQuery('accounts', getLimits, { params: { id } });

/** The limits of the signed-in account. Administrators have none, so nothing is fetched for them. */
export function useOwnLimits() {
  const { id, is_admin } = useMe();
  return useQuery({ ...limitsQuery(id), enabled: !is_admin });
}

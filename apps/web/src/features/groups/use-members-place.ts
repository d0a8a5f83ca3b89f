import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { useCan, useMe } from '../../shared/data/session.ts';

/** The list that shows a group's members; null for those who see no accounts. */
export function useMembersPlace(): '/resellers' | '/accounts' | null {
  const { is_admin } = useMe();
  const seesAccounts = useCan(listAccounts.access);
  if (is_admin) return '/resellers';
  return seesAccounts ? '/accounts' : null;
}

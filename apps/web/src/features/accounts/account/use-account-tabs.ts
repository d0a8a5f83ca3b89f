import { accountActivity } from '@linekeeper/contract/activity.ts';
import { type Access, can } from '@linekeeper/contract/permissions.ts';
import { type AccountTab, accountTabs } from '../../../screens/account-search.ts';
import { useMe } from '../../../shared/data/session.ts';

const access: Record<AccountTab, Access> = {
  overview: 'account',
  credits: 'account',
  lines: ['view_users'],
  activity: accountActivity.access,
};

/** The tabs that the reader may open. */
export function useAccountTabs(): readonly AccountTab[] {
  const me = useMe();
  return accountTabs.filter((tab) => can(me, access[tab]));
}

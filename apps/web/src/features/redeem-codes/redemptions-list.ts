import { listRedemptions, redemptionsList } from '@linekeeper/contract/credits/redeem-codes.ts';
import { useMemo } from 'react';
import { defineList, narrowed } from '../../shared/list/define-list.ts';

const redemptions = defineList(redemptionsList, {
  path: '/redeem-code',
  queryKey: ['redemptions', 'list'],
  endpoint: listRedemptions,
  texts: 'redeem',
  fixed: ['status', 'account', 'code'],
});

/** The tries of one account, also where an administrator could see everybody's. */
export function useRedemptionsOf(account: string) {
  return useMemo(() => narrowed(redemptions, { account }), [account]);
}

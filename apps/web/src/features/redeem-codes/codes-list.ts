import {
  listRedeemCodes,
  type RedeemCodeStatus,
  redeemCodesList,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { defineList } from '../../shared/list/define-list.ts';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import type { BadgeTone } from '../../shared/ui/badge.tsx';

export const statusTones: Record<RedeemCodeStatus, BadgeTone> = {
  active: 'success',
  inactive: 'neutral',
  expired: 'error',
  used: 'info',
};

export const redeemCodes = defineList(redeemCodesList, {
  path: '/redeem-codes',
  queryKey: ['redeem-codes', 'list'],
  endpoint: listRedeemCodes,
  texts: 'redeemCodes',
  viewTones: { expired: 'error' },
  useViewCounts: useCountedViews,
});

import {
  listRedemptions,
  type Redemption,
  redemptionsList,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { useMemo } from 'react';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import type { ListDefinition } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';

const fetchRedemptions = fetchPages(redemptionsList, listRedemptions);

const useTexts = () => useListTexts<typeof redemptionsList>('redeem');
const useFilters = () => ({});

/** The tries of one account, also where an administrator could see everybody's. */
export function useRedemptionsOf(account: string): ListDefinition<Redemption> {
  return useMemo(
    () => ({
      declaration: redemptionsList,
      path: '/redeem-code',
      queryKey: ['redemptions', 'list', account],
      fetchPage: (search, how) => fetchRedemptions({ ...search, account }, how),
      useTexts,
      useFilters,
    }),
    [account],
  );
}

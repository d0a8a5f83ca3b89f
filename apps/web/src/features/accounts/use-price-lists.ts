import { type Account, sellers } from '@linekeeper/contract/accounts/accounts.ts';
import { listPriceLists } from '@linekeeper/contract/credits/price-lists.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SelectOption } from '#kit/forms/fields/option-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useCan, useMe } from '#platform/data/session.ts';

/** Chosen for an account without a list of its own. */
export const AS_ABOVE = 'above';

/**
 * The price lists that the reader can give to the account, and the one that it has. None for administrators and for
 * oneself, and for a reader without lists: a panel without lists says nothing of them.
 */
export function usePriceLists({ id, is_admin, price_list_id }: Account): SelectOption[] {
  const { t } = useTranslation('account');
  const me = useMe();
  const isSeller = useCan(sellers);
  const isOpen = isSeller && !is_admin && me.id !== id;
  const { data } = useQuery({ ...callQuery('credits', listPriceLists), enabled: isOpen });
  const own = (isOpen && data?.items) || [];
  if (own.length === 0) return [];
  const isOther = price_list_id !== null && !own.some((list) => list.id === price_list_id);
  return [
    { value: AS_ABOVE, label: t('priceList.above') },
    ...own.map((list) => ({ value: list.id, label: list.name })),
    ...(isOther ? [{ value: price_list_id, label: t('priceList.other') }] : []),
  ];
}

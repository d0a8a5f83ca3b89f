import { type Account, sellers } from '@linekeeper/contract/accounts/accounts.ts';
import { listPriceLists } from '@linekeeper/contract/credits/price-lists.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SelectOption } from '#kit/forms/fields/option-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useCan, useMe } from '#platform/data/session.ts';

/** The choice for an account without its own list. */
export const AS_ABOVE = 'above';

/**
 * The price lists that the reader can assign to the account, and its present one. Empty for administrators, for the
 * reader's own account, and for a reader without lists, so that a panel without lists does not show them.
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

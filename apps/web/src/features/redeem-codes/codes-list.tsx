import {
  listRedeemCodes,
  type RedeemCode,
  type RedeemCodeStatus,
  redeemCodeStatuses,
  redeemCodesList,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { useTranslation } from 'react-i18next';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';
import type { BadgeTone } from '../../shared/ui/badge.tsx';

export const statusTones: Record<RedeemCodeStatus, BadgeTone> = {
  active: 'success',
  inactive: 'neutral',
  expired: 'error',
  used: 'info',
};

function useFilters(): Record<keyof typeof redeemCodesList.filters, FilterLook> {
  const { t } = useTranslation('redeemCodes');
  const statuses = redeemCodeStatuses.map((value) => ({ value, label: t(`status.${value}`) }));
  return { status: offering(t('filter.names.status'), statuses) };
}

/** The list of redeem codes, as the parts of every list are told it. */
export const redeemCodes: ListDefinition<RedeemCode> = {
  declaration: redeemCodesList,
  path: '/redeem-codes',
  queryKey: ['redeem-codes', 'list'],
  fetchPage: fetchPages(redeemCodesList, listRedeemCodes),
  useTexts: () => useListTexts<typeof redeemCodesList>('redeemCodes'),
  useFilters,
  viewTones: { expired: 'error' },
  useViewCounts: useCountedViews,
};

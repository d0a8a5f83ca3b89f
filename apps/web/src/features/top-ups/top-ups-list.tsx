import {
  listTopUps,
  type TopUp,
  type TopUpStatus,
  topUpMethods,
  topUpStatuses,
  topUpsList,
} from '@linekeeper/contract/credits/top-ups.ts';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { useAccountFilter } from '../../shared/list/filters/use-account-filter.tsx';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';
import type { BadgeTone } from '../../shared/ui/badge.tsx';

export const statusTones: Record<TopUpStatus, BadgeTone> = {
  pending: 'warning',
  approved: 'success',
  rejected: 'error',
  withdrawn: 'neutral',
};

function useFilters(): Record<keyof typeof topUpsList.filters, FilterLook> {
  const { t } = useTranslation('topUps');
  return {
    status: offering(
      t('field.status'),
      topUpStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
    ),
    method: offering(
      t('columns.method'),
      topUpMethods.map((value) => ({ value, label: t(`methods.${value}`) })),
    ),
    account: useAccountFilter('account', t('field.account'), 'admin'),
    // The view says it.
    flagged: { name: t('views.flagged'), valueText: () => t('views.flagged') },
  };
}

function useOfferedColumns(): readonly string[] {
  const { is_admin } = useMe();
  return topUpsList.columns.filter((column) => is_admin || column !== 'account');
}

/** The list of the own top-ups. */
export const topUps: ListDefinition<TopUp> = {
  declaration: topUpsList,
  path: '/payments/top-ups',
  queryKey: ['top-ups', 'list'],
  fetchPage: fetchPages(topUpsList, listTopUps),
  useTexts: () => useListTexts<typeof topUpsList>('topUps'),
  useFilters,
  useOfferedColumns,
  viewTones: { pending: 'warning', flagged: 'error' },
  viewsIfAny: ['flagged'],
  useViewCounts: useCountedViews,
};

/** Everybody's, as administrators work through them: those that wait come first. */
export const topUpQueue = {
  ...topUps,
  declaration: {
    ...topUpsList,
    views: {
      pending: topUpsList.views.pending,
      approved: topUpsList.views.approved,
      rejected: topUpsList.views.rejected,
      all: { status: topUpStatuses.join(',') },
      flagged: topUpsList.views.flagged,
    },
  },
} satisfies ListDefinition<TopUp>;

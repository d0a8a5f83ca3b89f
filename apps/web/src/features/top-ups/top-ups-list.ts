import { listTopUps, type TopUp, type TopUpStatus } from '@linekeeper/contract/credits/top-ups.ts';
import { topUpMethods, topUpStatuses, topUpsList } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { useAccountFilter } from '#domain/accounts/use-account-filter.tsx';
import { forAdmins } from '#kit/list/columns.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { type ListDefinition, offering } from '#kit/list/use-list.ts';
import type { BadgeTone } from '#kit/ui/badge.tsx';

export const statusTones: Record<TopUpStatus, BadgeTone> = {
  pending: 'warning',
  approved: 'success',
  rejected: 'error',
  withdrawn: 'neutral',
};

function useFilters() {
  const { t } = useTranslation('topUps');
  const methods = topUpMethods.map((value) => ({ value, label: t(`methods.${value}`) }));
  return {
    method: offering(t('field.method'), methods),
    account: useAccountFilter('account', t('field.account'), 'admin'),
    // This filter is set by a view.
    flagged: { name: t('views.flagged'), valueText: () => t('views.flagged') },
  };
}

export const topUps = defineList(topUpsList, {
  path: '/payments/top-ups',
  queryKey: ['top-ups', 'list'],
  endpoint: listTopUps,
  texts: 'topUps',
  useFilters,
  hides: forAdmins('account'),
  viewTones: { pending: 'warning', flagged: 'error' },
  viewsIfAny: ['flagged'],
  countsViews: true,
});

/** The list of all accounts' top-ups for administrators, with the pending ones first. */
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

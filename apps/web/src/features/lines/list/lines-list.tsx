import { linesList, listLines } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { lineChoiceCountsQuery, lineCountsQuery } from '../../../shared/data/line-counts.ts';
import { useMe } from '../../../shared/data/session.ts';
import { useLineFilters, useLineTexts } from '../../../shared/lines/use-line-list.ts';
import { defineList } from '../../../shared/list/define-list.ts';
import { useAccountFilter } from '../../../shared/list/filters/use-account-filter.tsx';

function useFilters() {
  const { t } = useTranslation('lines');
  return {
    ...useLineFilters(),
    owner: useAccountFilter('owner', t('filter.names.owner')),
  };
}

const columnsOfOwnLines = linesList.columns.filter((column) => column !== 'owner');

/** Hides the owner column from accounts that only see their own lines. */
function useOfferedColumns(): readonly string[] {
  const { is_admin } = useMe();
  return is_admin ? linesList.columns : columnsOfOwnLines;
}

export const lines = defineList(linesList, {
  path: '/users/all',
  // Live changes of lines invalidate every key that begins with 'lines'.
  queryKey: ['lines', 'list'],
  isKept: true,
  endpoint: listLines,
  texts: 'lines',
  useMoreTexts: useLineTexts,
  useFilters,
  useOfferedColumns,
  viewTones: {
    active: 'success',
    expiring: 'warning',
    expired: 'error',
    trials: 'info',
    not_synced: 'warning',
    long_names: 'warning',
  },
  viewsIfAny: ['not_synced', 'long_names'],
  useViewCounts: () => useQuery(lineCountsQuery()).data,
  useChoiceCounts: () => useQuery(lineChoiceCountsQuery()).data,
});

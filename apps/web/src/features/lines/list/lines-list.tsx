import { type Line, linesList, listLines } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { lineChoiceCountsQuery, lineCountsQuery } from '../../../shared/data/line-counts.ts';
import { useMe } from '../../../shared/data/session.ts';
import { useLineFilters, useLineListTexts } from '../../../shared/lines/use-line-list.ts';
import { fetchPages } from '../../../shared/list/fetch-pages.ts';
import { useAccountFilter } from '../../../shared/list/filters/use-account-filter.tsx';
import type { FilterLook, ListDefinition } from '../../../shared/list/use-list.ts';

function useFilters(): Record<keyof typeof linesList.filters, FilterLook> {
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

/** Defines the lines list for the shared list components. */
export const lines: ListDefinition<Line> = {
  declaration: linesList,
  path: '/users/all',
  // Live changes of lines invalidate every key that begins with 'lines'.
  queryKey: ['lines', 'list'],
  isKept: true,
  fetchPage: fetchPages(linesList, listLines),
  useTexts: useLineListTexts,
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
};

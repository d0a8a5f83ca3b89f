import {
  type Line,
  type lineStatuses,
  linesList,
  listLines,
} from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { lineChoiceCountsQuery, lineCountsQuery } from '../../../shared/line-counts.ts';
import { daysOf } from '../../../shared/list/address.ts';
import { fetchPages } from '../../../shared/list/fetch-pages.ts';
import { useAccountFilter } from '../../../shared/list/filters/use-account-filter.tsx';
import { type FilterLook, type ListDefinition, offering } from '../../../shared/list/use-list.ts';
import { useListTexts } from '../../../shared/list/use-list-texts.ts';
import { serverChoicesQuery } from '../../../shared/server-choices.ts';
import { useMe } from '../../../shared/session.ts';

const EXPIRY_CHOICES = ['0d', '7d', '30d'] as const;
/** Ordered by how often users look for each state. */
const SYNC_CHOICES = ['failed', 'pending', 'synced'] as const;

function useTexts() {
  const { t } = useTranslation('lines');
  return {
    ...useListTexts<typeof linesList>('lines'),
    selectPage: t('select.page'),
    searchIsShort: t('searchIsShort'),
  };
}

function useFilters(): Record<keyof typeof linesList.filters, FilterLook> {
  const { t } = useTranslation('lines');
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const name = (filter: keyof typeof linesList.filters) => t(`filter.names.${filter}`);
  const option = (value: string, label: string) => ({ value, label });
  return {
    expires: {
      name: name('expires'),
      options: EXPIRY_CHOICES.map((days) =>
        option(days, days === '0d' ? t('filter.today') : t('filter.days', { count: daysOf(days) })),
      ),
      valueText: (value) => t('filter.withinDays', { count: daysOf(value) }),
    },
    status: offering(
      name('status'),
      statusChoices.map((status) => option(status, t(`status.${status}`))),
    ),
    server: {
      ...offering(
        name('server'),
        servers.map(({ id, server_name }) => option(id, isolate(server_name))),
      ),
      isLong: true,
    },
    sync: offering(
      name('sync'),
      SYNC_CHOICES.map((state) => option(state, t(`filter.syncStates.${state}`))),
    ),
    trial: offering(name('trial'), [
      option('true', t('filter.trials')),
      option('false', t('filter.subscriptions')),
    ]),
    owner: useAccountFilter('owner', name('owner')),
  };
}

const statusChoices: readonly (typeof lineStatuses)[number][] = [
  'active',
  'inactive',
  'suspended',
  'expired',
];

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
  fetchPage: fetchPages(linesList, listLines),
  useTexts,
  useFilters,
  useOfferedColumns,
  viewTones: {
    active: 'success',
    expiring: 'warning',
    expired: 'error',
    trials: 'info',
    not_synced: 'warning',
  },
  viewsIfAny: ['not_synced'],
  useViewCounts: () => useQuery(lineCountsQuery()).data,
  useChoiceCounts: () => useQuery(lineChoiceCountsQuery()).data,
};

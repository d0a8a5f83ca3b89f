import {
  listTickets,
  type Ticket,
  ticketCategories,
  ticketPriorities,
  ticketStatuses,
  ticketsList,
} from '@linekeeper/contract/tickets/tickets.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { ticketCountsQuery } from '../../shared/data/tickets.ts';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { useAccountFilter } from '../../shared/list/filters/use-account-filter.tsx';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';

function useFilters(): Record<keyof typeof ticketsList.filters, FilterLook> {
  const { t } = useTranslation('tickets');
  const named = (name: string): FilterLook => ({ name, valueText: () => name });
  return {
    status: offering(
      t('field.status'),
      ticketStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
    ),
    priority: offering(
      t('columns.priority'),
      ticketPriorities.map((value) => ({ value, label: t(`priority.${value}`) })),
    ),
    category: offering(
      t('columns.category'),
      ticketCategories.map((value) => ({ value, label: t(`category.${value}`) })),
    ),
    assignee: useAccountFilter('assignee', t('columns.assignee'), 'admin'),
    account: useAccountFilter('account', t('field.account'), 'admin'),
    // Views say these.
    unread: named(t('views.unread')),
    mine: named(t('views.mine')),
    assigned: named(t('views.unassigned')),
  };
}

function useOfferedColumns(): readonly string[] {
  const { is_admin } = useMe();
  return ticketsList.columns.filter((column) => is_admin || column !== 'assignee');
}

/** Owners have no views of what is assigned, so those have no counts and no tabs. */
function useViewCounts(): Record<string, number> | undefined {
  const { is_admin } = useMe();
  const { data } = useQuery(ticketCountsQuery());
  if (!data) return undefined;
  const { assigned_to_me, unassigned, ...counts } = data;
  return is_admin ? { ...counts, mine: assigned_to_me, unassigned } : counts;
}

/** The list of tickets: the own ones, for administrators those of all. */
export const tickets: ListDefinition<Ticket> = {
  declaration: ticketsList,
  path: '/tickets',
  queryKey: ['tickets', 'list'],
  isKept: true,
  fetchPage: fetchPages(ticketsList, listTickets),
  useTexts: () => useListTexts<typeof ticketsList>('tickets'),
  useFilters,
  useOfferedColumns,
  viewTones: { unread: 'error', unassigned: 'warning' },
  viewsIfAny: ['mine', 'unassigned'],
  useViewCounts,
};

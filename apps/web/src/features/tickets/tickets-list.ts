import { listTickets, ticketsList } from '@linekeeper/contract/tickets/tickets.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { ticketCountsQuery } from '../../shared/data/tickets.ts';
import { defineList } from '../../shared/list/define-list.ts';
import { useAccountFilter } from '../../shared/list/filters/use-account-filter.tsx';
import type { FilterLook } from '../../shared/list/use-list.ts';

function useFilters() {
  const { t } = useTranslation('tickets');
  const named = (name: string): FilterLook => ({ name, valueText: () => name });
  return {
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
export const tickets = defineList(ticketsList, {
  path: '/tickets',
  queryKey: ['tickets', 'list'],
  isKept: true,
  endpoint: listTickets,
  texts: 'tickets',
  useFilters,
  useOfferedColumns,
  viewTones: { unread: 'error', unassigned: 'warning' },
  viewsIfAny: ['mine', 'unassigned'],
  useViewCounts,
});

import {
  listServers,
  type Server,
  serverFindings,
  serverStatuses,
  serversList,
} from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';

function useFilters(): Record<keyof typeof serversList.filters, FilterLook> {
  const { t } = useTranslation('servers');
  const statuses = serverStatuses.map((value) => ({ value, label: t(`status.${value}`) }));
  const findings = serverFindings.map((value) => ({ value, label: t(`filter.findings.${value}`) }));
  return {
    status: offering(t('filter.names.status'), statuses),
    finding: offering(t('filter.names.finding'), findings),
  };
}

/** The list of card servers, as the parts of every list are told it. */
export const servers: ListDefinition<Server> = {
  declaration: serversList,
  path: '/cccam-servers/manage',
  queryKey: ['servers', 'list'],
  isKept: true,
  fetchPage: fetchPages(serversList, listServers),
  // The panel checks servers every minute, but sends a live change only for a new status; polling
  // keeps latency and time up to date.
  refetchMs: 60_000,
  useTexts: () => useListTexts<typeof serversList>('servers'),
  useFilters,
};

import { listServers, serverFindings, serversList } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { defineList } from '../../shared/list/define-list.ts';
import { offering } from '../../shared/list/use-list.ts';

function useFilters() {
  const { t } = useTranslation('servers');
  const findings = serverFindings.map((value) => ({ value, label: t(`filter.findings.${value}`) }));
  return { finding: offering(t('filter.names.finding'), findings) };
}

/** The list of card servers. */
export const servers = defineList(serversList, {
  path: '/cccam-servers/manage',
  queryKey: ['servers', 'list'],
  isKept: true,
  endpoint: listServers,
  texts: 'servers',
  useFilters,
  seenAtAGlance: 12,
  // The panel checks servers every minute, but sends a live change only for a new status; polling
  // keeps latency and time up to date.
  refetchMs: 60_000,
});

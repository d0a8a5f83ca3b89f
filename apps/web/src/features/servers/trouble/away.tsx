import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { outagesQuery } from '../../../shared/data/outages.ts';

/** What it means for customers and sales that a server with lines does not take changes. */
export function Away({ server }: { server: Server }) {
  const { t } = useTranslation();
  const { data } = useQuery(outagesQuery());
  const outage = data?.items.find(({ server_id }) => server_id === server.id);
  if (!data || !outage) return null;
  const { no_access, port_answers } = outage;
  const { new_sales_server: name } = data;
  return (
    <p>
      {no_access
        ? t('outage.goOn')
        : t(port_answers === false ? 'outage.portToo' : 'outage.portUnknown')}{' '}
      {name === null ? t('outage.noSales') : t('outage.sales', { name })}
    </p>
  );
}

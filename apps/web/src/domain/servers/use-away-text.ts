import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { outagesQuery } from './outage-queries.ts';
import { troubleOfOutage } from './trouble.ts';

/**
 * Returns a text about the consequences of an outage for customers and new sales; undefined if the
 * server accepts changes.
 */
export function useAwayText(serverId: string): string | undefined {
  const { t } = useTranslation();
  const { data } = useQuery(outagesQuery());
  const outage = data?.items.find(({ server_id }) => server_id === serverId);
  if (!data || !outage) return undefined;
  const { new_sales_server: name } = data;
  const { customers } = troubleOfOutage(outage);
  const sales = name === null ? t('outage.noSales') : t('outage.sales', { name });
  return `${t(`outage.${customers}`)} ${sales}`;
}

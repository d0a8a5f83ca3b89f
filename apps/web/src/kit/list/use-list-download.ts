import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { useTranslation } from 'react-i18next';
import { addressOfCall } from '#platform/api/client.ts';
import { connection } from '#platform/browser/connection.ts';
import { downloadFile } from '#platform/browser/download-file.ts';
import { results } from '#platform/state/results.ts';
import { unpagedQuery } from '#screens/address.ts';
import { useListDefinition, useListSearch } from './use-list.ts';

export interface ListDownload {
  /** The call that writes the file, with the query of the list. */
  csv: Endpoint;
  /** Parameters of the call that are not filters of the list. */
  query?: Record<string, string>;
}

/**
 * Downloads the list, with all its pages. Warns while the panel cannot be reached, because browsers do not report a
 * failed download.
 */
export function useListDownload({ csv, query }: ListDownload) {
  const { t } = useTranslation();
  const { declaration } = useListDefinition();
  const { search } = useListSearch();
  return () => {
    if (connection.get() === 'offline') return results.warning(t('offline.needed'));
    const filters = unpagedQuery(declaration, search);
    downloadFile(addressOfCall<Endpoint>(csv, { query: { ...filters, ...query } }));
  };
}

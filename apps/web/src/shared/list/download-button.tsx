import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { unpagedQuery } from '../../screens/address.ts';
import { addressOfCall } from '../api/client.ts';
import { downloadFile } from '../browser/download-file.ts';
import { HeaderButton } from '../ui/buttons/header-button.tsx';
import { useListDefinition, useListSearch } from './use-list.ts';

interface DownloadButtonProps {
  /** The call that writes the file, with the query of the list. */
  csv: Endpoint;
  /** Parameters of the call that are no filters of the list. */
  query?: Record<string, string>;
}

/** Downloads what the list shows, on all its pages. */
export function DownloadButton({ csv, query }: DownloadButtonProps) {
  const { t } = useTranslation();
  const { declaration } = useListDefinition();
  const { search } = useListSearch();
  const download = () =>
    downloadFile(
      addressOfCall<Endpoint>(csv, { query: { ...unpagedQuery(declaration, search), ...query } }),
    );
  return <HeaderButton label={t('action.downloadCsv')} icon={Download} onClick={download} />;
}

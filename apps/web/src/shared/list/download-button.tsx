import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { unpagedQuery } from '../../screens/address.ts';
import { addressOfCall } from '../api/client.ts';
import { downloadFile } from '../browser/download-file.ts';
import { useIsPhone } from '../browser/use-is-phone.ts';
import { Button } from '../ui/buttons/button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { useNeedsConnection } from '../ui/use-needs-connection.ts';
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
  const isPhone = useIsPhone();
  const blocked = useNeedsConnection();
  const label = t('action.downloadCsv');
  const download = () =>
    downloadFile(
      addressOfCall<Endpoint>(csv, { query: { ...unpagedQuery(declaration, search), ...query } }),
    );
  if (isPhone) {
    return (
      <IconButton label={label} blocked={blocked} onClick={download}>
        <Download size={20} aria-hidden="true" />
      </IconButton>
    );
  }
  return (
    <Button icon={<Download aria-hidden="true" />} blocked={blocked} onClick={download}>
      {label}
    </Button>
  );
}

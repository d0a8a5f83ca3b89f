import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ListSearch } from '../../screens/address.ts';
import { downloadFile } from '../browser/download-file.ts';
import { useIsPhone } from '../browser/use-is-phone.ts';
import { Button } from '../ui/buttons/button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { useNeedsConnection } from '../ui/use-needs-connection.ts';
import { useListSearch } from './use-list.ts';

/** Downloads what the list shows, on all its pages. `addressOf` is the address of the file. */
export function DownloadButton({ addressOf }: { addressOf: (search: ListSearch) => string }) {
  const { t } = useTranslation();
  const { search } = useListSearch();
  const isPhone = useIsPhone();
  const blocked = useNeedsConnection();
  const label = t('action.downloadCsv');
  const download = () => downloadFile(addressOf(search));
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

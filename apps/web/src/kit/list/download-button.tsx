import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { HeaderButton } from '#kit/ui/buttons/header-button.tsx';
import { type ListDownload, useListDownload } from './use-list-download.ts';

export function DownloadButton(props: ListDownload) {
  const { t } = useTranslation();
  const download = useListDownload(props);
  return <HeaderButton label={t('action.downloadCsv')} icon={Download} onClick={download} />;
}

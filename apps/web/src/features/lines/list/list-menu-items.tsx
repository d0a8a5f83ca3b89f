import { linesCsv } from '@linekeeper/contract/lines/lines.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, History, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useListDownload } from '#kit/list/use-list-download.ts';
import { Menu, MenuItem, MenuLink } from '#kit/overlays/menu.tsx';

interface ListMenuItemsProps {
  anchor: HTMLElement | null;
  onClose: () => void;
}

export function ListMenuItems({ anchor, onClose }: ListMenuItemsProps) {
  const { t } = useTranslation('bulk');
  const search = useSearch({ from: '/shell/users/all' });
  const navigate = useNavigate();
  const downloadLines = useListDownload({ csv: linesCsv });
  const download = () => {
    onClose();
    downloadLines();
  };
  const showRecent = () => {
    onClose();
    void navigate({ to: '/users/all', search: { ...search, job: 'recent' } });
  };
  return (
    <Menu anchor={anchor} onClose={onClose} align="end">
      <MenuLink to="/users/import" onClick={onClose}>
        <Upload size={20} />
        {t('list.import')}
      </MenuLink>
      <MenuItem onClick={download}>
        <Download size={20} />
        {t('list.export')}
      </MenuItem>
      <MenuItem onClick={showRecent}>
        <History size={20} />
        {t('recent.title')}
      </MenuItem>
    </Menu>
  );
}

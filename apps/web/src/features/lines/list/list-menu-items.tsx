import { linesCsv } from '@linekeeper/contract/lines/lines.ts';
import MenuItem from '@mui/material/MenuItem';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, History, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useListDownload } from '#kit/list/use-list-download.ts';
import { Menu } from '#kit/overlays/overlays.tsx';
import { MenuLink } from '#kit/ui/buttons/menu-link.tsx';

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
    <Menu
      anchorEl={anchor}
      open={Boolean(anchor)}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
    >
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

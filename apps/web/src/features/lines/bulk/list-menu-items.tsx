import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Link, useNavigate } from '@tanstack/react-router';
import { Download, History, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { useLinesSearch } from '../use-lines-search.ts';
import { filterOf } from './use-bulk-selection.ts';
import { useExport } from './use-export.ts';

interface ListMenuItemsProps {
  anchor: HTMLElement | null;
  onClose: () => void;
}

export function ListMenuItems({ anchor, onClose }: ListMenuItemsProps) {
  const { t } = useTranslation('bulk');
  const { search } = useLinesSearch();
  const navigate = useNavigate();
  const exportLines = useExport();
  const download = () => {
    onClose();
    exportLines({ filter: filterOf(search) });
  };
  const showRecent = () => {
    onClose();
    void navigate({ to: paths.lines(), search: { ...search, job: 'recent' } });
  };
  return (
    <Menu
      anchorEl={anchor}
      open={Boolean(anchor)}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
    >
      <MenuItem component={Link} to={paths.importLines()} onClick={onClose}>
        <Upload size={20} aria-hidden="true" />
        {t('list.import')}
      </MenuItem>
      <MenuItem onClick={download}>
        <Download size={20} aria-hidden="true" />
        {t('list.export')}
      </MenuItem>
      <MenuItem onClick={showRecent}>
        <History size={20} aria-hidden="true" />
        {t('list.recent')}
      </MenuItem>
    </Menu>
  );
}

import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../shared/ui/button.tsx';
import styles from './bulk-bar.module.css';
import type { PreviewedAction } from './term.ts';

/** One of the things the bar of a selection offers. */
export interface BarAction {
  name: PreviewedAction | 'export';
  label: string;
  icon: ReactNode;
  isDanger?: boolean;
  act: () => void;
}

/** What finds no room in the bar of a phone. */
export function MoreActions({ actions }: { actions: BarAction[] }) {
  const { t } = useTranslation('bulk');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const choose = (act: () => void) => {
    setAnchor(null);
    act();
  };
  return (
    <>
      <Button
        aria-label={t('bar.more')}
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        icon={<Ellipsis aria-hidden="true" />}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      />
      <Menu
        anchorEl={anchor}
        open={Boolean(anchor)}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      >
        {actions.toReversed().map(({ name, label, icon, isDanger, act }) => (
          <MenuItem
            key={name}
            className={styles.item ?? ''}
            data-danger={isDanger}
            onClick={() => choose(act)}
          >
            {icon}
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

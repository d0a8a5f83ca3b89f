import MenuItem from '@mui/material/MenuItem';
import { Menu } from '../../ui/overlays/overlays.tsx';
import styles from './bulk-bar.module.css';
import type { BulkAction } from './more-actions.tsx';

interface MoreActionsMenuProps {
  anchor: HTMLElement | null;
  actions: readonly BulkAction[];
  onClose: () => void;
}

export function MoreActionsMenu({ anchor, actions, onClose }: MoreActionsMenuProps) {
  return (
    <Menu
      anchorEl={anchor}
      open={anchor !== null}
      onClose={onClose}
      anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
      transformOrigin={{ vertical: 'bottom', horizontal: 'right' }}
    >
      {actions.toReversed().map(({ name, label, icon, isDanger, act }) => (
        <MenuItem
          key={name}
          className={styles.item ?? ''}
          data-danger={isDanger}
          onClick={() => {
            onClose();
            act();
          }}
        >
          {icon}
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

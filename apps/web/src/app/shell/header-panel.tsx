import MenuList from '@mui/material/MenuList';
import type { ReactNode } from 'react';
import { Popover } from '#kit/overlays/overlays.tsx';
import { useCloseOnNavigation } from '#kit/overlays/use-close-on-navigation.ts';
import styles from './header.module.css';
import type { HeaderPanelProps } from './header-popover.tsx';

interface PanelProps extends HeaderPanelProps {
  label: string;
  width: number;
  /** Without padding, for rows that fill the panel. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A panel below its button in the header. */
export function HeaderPanel({ id, anchor, onClose, label, width, isFlush, children }: PanelProps) {
  useCloseOnNavigation(Boolean(anchor), onClose);
  return (
    <Popover
      id={id}
      open={Boolean(anchor)}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': label,
          className: (isFlush ? styles.flush : styles.popover) ?? '',
          style: { width, marginTop: 20 },
        },
      }}
    >
      {children}
    </Popover>
  );
}

interface PanelMenuProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** The links of a panel, as a menu; Tab closes it, as Escape does. */
export function PanelMenu({ label, onClose, children }: PanelMenuProps) {
  return (
    <MenuList autoFocusItem disablePadding aria-label={label} onKeyDown={closeOnTab(onClose)}>
      {children}
    </MenuList>
  );
}

/** Key handler that closes a menu on Tab, as Escape does. */
function closeOnTab(close: () => void) {
  return (event: React.KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    close();
  };
}

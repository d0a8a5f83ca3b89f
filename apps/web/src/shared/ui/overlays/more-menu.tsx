import type { MenuProps } from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { EllipsisVertical, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import styles from './more-menu.module.css';
import { Menu } from './overlays.tsx';

interface MoreMenuListProps extends Pick<MenuProps, 'disableRestoreFocus'> {
  anchor: HTMLElement | null;
  /** Whose menu it is. */
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The menu below a button with three dots. It is in the page's landmark, but not in the cell of its button,
 * which lies below the list's footer.
 */
export function MoreMenuList({ anchor, label, onClose, ...rest }: MoreMenuListProps) {
  return (
    <Menu
      {...rest}
      open={anchor !== null}
      anchorEl={anchor}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      onClose={onClose}
      container={() => document.querySelector('main')}
      // Unavailable items stay focusable, so that screen readers can announce the reason.
      slotProps={{ list: { disabledItemsFocusable: true, 'aria-label': label } }}
    />
  );
}

interface MoreButtonProps {
  label: string;
  isOpen: boolean;
  onOpen: (anchor: HTMLElement) => void;
  size?: 'small' | 'medium';
  blocked?: string | undefined;
  /** Called when the menu is likely to be opened. */
  onIntent?: () => void;
}

export function MoreButton({
  label,
  isOpen,
  onOpen,
  size = 'small',
  blocked,
  onIntent,
}: MoreButtonProps) {
  return (
    <IconButton
      label={label}
      size={size}
      blocked={blocked}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      {...(onIntent ? { onPointerEnter: onIntent, onFocus: onIntent } : {})}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
    >
      <EllipsisVertical size={18} aria-hidden="true" />
    </IconButton>
  );
}

interface MoreItemProps {
  icon: LucideIcon;
  text: string;
  onClick: () => void;
  isDangerous?: boolean;
  disabled?: boolean;
  'aria-describedby'?: string | undefined;
}

export function MoreItem({ icon: Icon, text, isDangerous = false, ...rest }: MoreItemProps) {
  return (
    <MenuItem {...rest} className={isDangerous ? (styles.danger ?? '') : ''}>
      <Icon size={18} aria-hidden={true} />
      {text}
    </MenuItem>
  );
}

interface MoreMenuProps extends Pick<MoreButtonProps, 'label' | 'size' | 'blocked'> {
  /** The items; each act closes the menu first by `choose`. */
  children: (choose: (act: () => void) => () => void) => ReactNode;
}

/** The three-dots button of a row or card, and its menu of further actions. */
export function MoreMenu({ children, ...button }: MoreMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const choose = (act: () => void) => () => {
    setAnchor(null);
    act();
  };
  return (
    <>
      <MoreButton {...button} isOpen={anchor !== null} onOpen={setAnchor} />
      <MoreMenuList anchor={anchor} label={button.label} onClose={() => setAnchor(null)}>
        {children(choose)}
      </MoreMenuList>
    </>
  );
}

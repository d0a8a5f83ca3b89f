import type { MenuProps } from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { createLink, type LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MenuLinkProps } from '#kit/ui/buttons/menu-link.tsx';
import { Menu } from './overlays.tsx';

interface MoreListProps extends Pick<MenuProps, 'disableRestoreFocus'> {
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
export function MoreList({ anchor, label, onClose, ...rest }: MoreListProps) {
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

interface EntryLook {
  icon: LucideIcon;
  text: string;
}

interface MoreItemProps extends EntryLook {
  onClick: () => void;
  isDangerous?: boolean;
  disabled?: boolean;
}

export function MoreItem({ icon: Icon, text, isDangerous = false, ...rest }: MoreItemProps) {
  return (
    <MenuItem {...rest} className={isDangerous ? 'dangerous' : ''}>
      <Icon size={18} aria-hidden={true} />
      {text}
    </MenuItem>
  );
}

export const MoreLink = createLink(({ icon: Icon, text, ...rest }: MenuLinkProps & EntryLook) => (
  <MenuItem component="a" {...rest}>
    <Icon size={18} aria-hidden={true} />
    {text}
  </MenuItem>
));

/** An entry of a menu: a link to a page, or an act. */
export type MoreEntry = EntryLook & { name: string } & (
    | { act: () => void; link?: undefined }
    | { act?: undefined; link: LinkProps }
  );

interface MoreEntriesProps extends Pick<MoreListProps, 'anchor' | 'label' | 'onClose'> {
  entries: readonly MoreEntry[];
}

/** The menu of a `MoreMenu`. */
export function MoreEntries({ entries, ...list }: MoreEntriesProps) {
  return (
    <MoreList {...list}>
      {entries.map(({ name, act, link, ...look }) =>
        link ? (
          <MoreLink key={name} {...look} {...link} onClick={list.onClose} />
        ) : (
          <MoreItem
            key={name}
            {...look}
            onClick={() => {
              list.onClose();
              act();
            }}
          />
        ),
      )}
    </MoreList>
  );
}

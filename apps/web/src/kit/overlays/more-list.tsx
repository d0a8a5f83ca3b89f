import { createLink, type LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Menu, MenuItem, OutsideMenuLink } from './menu.tsx';

interface MoreListProps {
  anchor: HTMLElement | null;
  /** Label that names the menu's object. */
  label: string;
  onClose: () => void;
  /** True if the page moves the focus itself after closing. */
  disableRestoreFocus?: boolean;
  children: ReactNode;
}

/**
 * The menu below a button with three dots. It is in the page's landmark, but not in the cell of its
 * button, because that is below the list's footer.
 */
export function MoreList({ label, ...rest }: MoreListProps) {
  return (
    <Menu
      {...rest}
      align="end"
      container={document.querySelector('main')}
      list={{ 'aria-label': label }}
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
    <MenuItem {...rest} className={isDangerous ? 'text-danger [&>svg]:text-danger' : ''}>
      <Icon size={18} aria-hidden={true} />
      {text}
    </MenuItem>
  );
}

export const MoreLink = createLink(
  ({ icon: Icon, text, ...rest }: ComponentProps<typeof OutsideMenuLink> & EntryLook) => (
    <OutsideMenuLink {...rest}>
      <Icon size={18} aria-hidden={true} />
      {text}
    </OutsideMenuLink>
  ),
);

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

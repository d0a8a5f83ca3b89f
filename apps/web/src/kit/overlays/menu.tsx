import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Separator } from '@base-ui/react/separator';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, FocusEvent, ReactNode, Ref } from 'react';
import styles from './menu.module.css';
import overlays from './overlays.module.css';
import { type Place, positionOf } from './overlays.tsx';
import { useLastAnchor, useOverlay } from './use-overlay.ts';

/** Selectors of the entry that takes the focus as a menu opens: the chosen one, otherwise the first. */
const FIRST = ['[aria-checked="true"]', '[aria-selected="true"]', '[tabindex]'].map(
  (state) => `:is([role^="menuitem"], [role="option"])${state}:not([aria-disabled="true"])`,
);

function focusEntry({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (target !== currentTarget && !target.matches('[role="menu"], [role="listbox"]')) return;
  const entry = FIRST.map((one) => currentTarget.querySelector<HTMLElement>(one)).find(Boolean);
  entry?.focus();
}

interface MenuPanelProps extends Place, ComponentProps<'div'> {
  /** The element at which the menu hangs, while it is open. */
  anchor: HTMLElement | null;
  onClose: () => void;
  /** The parent element of the menu; by default the page's body. */
  container?: HTMLElement | null | undefined;
  /** True if the page moves the focus itself after closing. */
  disableRestoreFocus?: boolean | undefined;
}

/** An overlay at an element that contains a `MenuList`. */
export function MenuPanel(props: MenuPanelProps) {
  const { anchor, side, align, gap, onClose, container, disableRestoreFocus, ...popup } = props;
  const isOpen = anchor !== null;
  return (
    <BaseMenu.Root
      open={isOpen}
      // Keys act on the focused entry, even if the mouse is over another one.
      highlightItemOnHover={false}
      onOpenChange={useOverlay({ isOpen, isModal: false, onClose, disableRestoreFocus })}
    >
      <BaseMenu.Portal className={overlays.layer} container={container ?? undefined}>
        <BaseMenu.Positioner anchor={useLastAnchor(anchor)} {...positionOf({ side, align, gap })}>
          <BaseMenu.Popup
            {...popup}
            className={`${overlays.popover} ${popup.className ?? ''}`}
            finalFocus={false}
            onFocus={focusEntry}
            // Tab closes the menu, like Escape.
            onKeyDown={(event) => {
              if (event.key !== 'Tab') return;
              event.preventDefault();
              onClose();
            }}
          />
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** The entries of a menu. Arrow keys, Home, End and first letters move between them. */
export function MenuList(props: ComponentProps<'div'>) {
  return <BaseMenu.List {...props} />;
}

interface MenuProps extends Omit<MenuPanelProps, 'children'> {
  /** Attributes of the list of entries. */
  list?: ComponentProps<'div'>;
  children: ReactNode;
}

/** A menu at the element that opened it. */
export function Menu({ list, className = '', children, ...panel }: MenuProps) {
  return (
    <MenuPanel {...panel} className={`${styles.menu} ${className}`}>
      <MenuList {...list}>{children}</MenuList>
    </MenuPanel>
  );
}

interface MenuItemProps extends ComponentProps<'div'> {
  disabled?: boolean;
}

/** A menu entry that runs an action. The menu stays open until `onClick` closes it or opens a dialog instead. */
export function MenuItem({ className = '', ...rest }: MenuItemProps) {
  return <BaseMenu.Item {...rest} closeOnClick={false} className={`${styles.item} ${className}`} />;
}

interface MenuLinkProps extends ComponentProps<'a'> {
  ref?: Ref<HTMLAnchorElement>;
}

/** A menu entry that links to another site or program. */
export function OutsideMenuLink({ className = '', ref, ...rest }: MenuLinkProps) {
  return (
    <BaseMenu.LinkItem
      {...rest}
      ref={ref as Ref<Element>}
      className={`${styles.item} ${className}`}
    />
  );
}

/** A menu entry that opens a page of the panel. */
export const MenuLink = createLink(OutsideMenuLink);

export function MenuDivider() {
  return <Separator className={styles.divider} />;
}

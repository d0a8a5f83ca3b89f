import { type ReactElement, useState } from 'react';

/** Attributes for the button that opens the menu. */
export interface MenuOpener {
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onPointerEnter: () => void;
  onFocus: () => void;
  onClick: (event: { currentTarget: HTMLElement }) => void;
}

interface LazyMenuButtonProps {
  /** Fetches the menu's code once it is likely to be opened. */
  fetch: () => void;
  button: (opener: MenuOpener) => ReactElement;
  menu: (opened: { anchor: HTMLElement | null; onClose: () => void }) => ReactElement;
}

/** A button and its menu, whose code is loaded on first use to keep pages with menus small. */
export function LazyMenuButton({ fetch, button, menu }: LazyMenuButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      {button({
        'aria-haspopup': 'menu',
        'aria-expanded': anchor !== null,
        onPointerEnter: fetch,
        onFocus: fetch,
        onClick: ({ currentTarget }) => setAnchor(currentTarget),
      })}
      {menu({ anchor, onClose: () => setAnchor(null) })}
    </>
  );
}

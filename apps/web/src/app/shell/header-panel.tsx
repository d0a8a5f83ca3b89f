import type { ReactNode } from 'react';
import { MenuPanel } from '#kit/overlays/menu.tsx';
import { Popover } from '#kit/overlays/overlays.tsx';
import { useCloseOnNavigation } from '#kit/overlays/use-close-on-navigation.ts';
import type { HeaderPanelProps } from './header-popover.tsx';

/** Pixels between a button in the header and its panel. */
const GAP = 20;

interface PanelProps extends HeaderPanelProps {
  label: string;
  width: number;
  children: ReactNode;
}

/** A panel that opens below its button in the header, such as that of the notifications. */
export function HeaderPanel({ onClose, label, width, ...rest }: PanelProps) {
  useCloseOnNavigation(rest.anchor !== null, onClose);
  return (
    <Popover
      {...rest}
      onClose={onClose}
      align="end"
      gap={GAP}
      aria-label={label}
      className="overflow-hidden"
      style={{ width }}
    />
  );
}

/** A panel in the header with a `MenuList` in it. */
export function HeaderMenuPanel({ onClose, label, width, ...rest }: PanelProps) {
  useCloseOnNavigation(rest.anchor !== null, onClose);
  return (
    <MenuPanel
      {...rest}
      onClose={onClose}
      align="end"
      gap={GAP}
      role="dialog"
      aria-label={label}
      className="p-2 [&_hr]:h-px [&_hr]:my-2 [&_hr]:mx-0 [&_hr]:border-0 [&_hr]:bg-divider"
      style={{ width }}
    />
  );
}

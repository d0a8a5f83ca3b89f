import type { ReactNode } from 'react';
import { Menu, MenuItem } from '#kit/overlays/menu.tsx';

/** An action on the selected rows. */
export interface BulkAction {
  name: string;
  label: string;
  icon: ReactNode;
  isDanger?: boolean;
  /** True for an action that is always in the menu, so that the bar has room for the others in every language. */
  isInMenu?: boolean;
  isPending?: boolean;
  act: () => void;
}

interface MoreActionsMenuProps {
  anchor: HTMLElement | null;
  actions: readonly BulkAction[];
  onClose: () => void;
}

export function MoreActionsMenu({ anchor, actions, onClose }: MoreActionsMenuProps) {
  return (
    <Menu anchor={anchor} onClose={onClose} side="top" align="end">
      {actions.map(({ name, label, icon, isDanger, act }) => (
        <MenuItem
          key={name}
          className={`[&>svg]:w-5 [&>svg]:h-5 ${isDanger ? 'text-danger [&>svg]:text-danger' : ''}`}
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

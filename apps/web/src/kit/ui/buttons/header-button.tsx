import type { LucideIcon } from 'lucide-react';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

interface HeaderButtonProps {
  label: string;
  icon: LucideIcon;
  /** Size in pixels of an icon without text. */
  iconSize?: number;
  pending?: boolean;
  onClick: () => void;
}

/** A button in a heading. On a phone it is only an icon, because the heading has little room. */
export function HeaderButton(props: HeaderButtonProps) {
  const { label, icon: Icon, iconSize = 20, pending = false, onClick } = props;
  return useIsPhone() ? (
    <IconButton label={label} disabled={pending} onClick={onClick}>
      <Icon size={iconSize} aria-hidden="true" />
    </IconButton>
  ) : (
    <Button icon={<Icon aria-hidden="true" />} pending={pending} onClick={onClick}>
      {label}
    </Button>
  );
}

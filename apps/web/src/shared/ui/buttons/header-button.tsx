import type { LucideIcon } from 'lucide-react';
import { useIsPhone } from '../../browser/use-is-phone.ts';
import { useNeedsConnection } from '../use-needs-connection.ts';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

interface HeaderButtonProps {
  label: string;
  icon: LucideIcon;
  /** Of the icon where it is alone. */
  iconSize?: number;
  pending?: boolean;
  onClick: () => void;
}

/** An icon alone on a phone, where the heading has little room beside it. */
export function HeaderButton(props: HeaderButtonProps) {
  const { label, icon: Icon, iconSize = 20, pending = false, onClick } = props;
  const blocked = useNeedsConnection();
  return useIsPhone() ? (
    <IconButton label={label} blocked={blocked} disabled={pending} onClick={onClick}>
      <Icon size={iconSize} aria-hidden="true" />
    </IconButton>
  ) : (
    <Button
      icon={<Icon aria-hidden="true" />}
      blocked={blocked}
      pending={pending}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

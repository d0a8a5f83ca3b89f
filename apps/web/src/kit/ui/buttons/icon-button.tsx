import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './button.module.css';
import '#kit/ui/icons/icons.css';
import type { DrawnIcon } from '#kit/ui/icons/drawn-icon.ts';
import { useDisabledReason } from './use-disabled-reason.tsx';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** Accessible name and tooltip. */
  label: string;
  /** 40, 32 or 28 px; on a phone the first two are 44 px. */
  size?: 'medium' | 'small' | 'tiny';
  /** The reason why the button cannot be pressed now. */
  blocked?: string | undefined;
  /** An icon drawn by the stylesheet instead of children, for buttons in every row of a list. */
  icon?: DrawnIcon;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
  const { label, size = 'medium', blocked, icon, children, ...rest } = props;
  const block = useDisabledReason(blocked);
  return (
    <button
      type="button"
      title={label}
      {...rest}
      {...block.props}
      aria-label={label}
      className={styles.iconButton}
      data-size={size}
      data-icon={icon}
    >
      {children}
      {block.reason}
    </button>
  );
}

import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** What it does, in words. */
  label: string;
  /** 40, 32 or 28 px; 44 on a phone for the first two. */
  size?: 'medium' | 'small' | 'tiny';
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, size = 'medium', children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={styles.iconButton}
      data-size={size}
    >
      {children}
    </button>
  );
}

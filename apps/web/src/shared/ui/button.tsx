import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';

export interface ButtonLook {
  variant?: 'solid' | 'soft' | 'outlined' | 'text';
  tone?: 'primary' | 'danger';
  size?: 'small' | 'medium' | 'large';
  fullWidth?: boolean;
  /** Before the words; sized by the button. */
  icon?: ReactNode;
}

interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  pending?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** The attributes that draw a button or a link as a button. */
export function buttonLook({ variant, tone, size, fullWidth }: ButtonLook) {
  return {
    className: styles.button,
    'data-variant': variant ?? 'outlined',
    'data-tone': tone ?? 'primary',
    'data-size': size ?? 'medium',
    'data-full-width': fullWidth || undefined,
  };
}

export function Button(props: ButtonProps) {
  const { variant, tone, size, fullWidth, icon, pending, children, disabled, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      {...buttonLook({ variant, tone, size, fullWidth })}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
    >
      {pending ? <LoaderCircle className={styles.spinner} aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

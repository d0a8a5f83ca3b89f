import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { useDisabledReason } from './use-disabled-reason.tsx';

export interface ButtonLook {
  variant?: 'solid' | 'soft' | 'outlined' | 'text';
  tone?: 'primary' | 'danger';
  size?: 'small' | 'medium' | 'large';
  fullWidth?: boolean;
  /** The icon before the text, in a size that fits the button. */
  icon?: ReactNode;
}

interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  pending?: boolean;
  /**
   * The reason why the button cannot be pressed now. Shown as a tooltip and read by screen readers;
   * the button stays focusable.
   */
  blocked?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
}

/** Attributes that style a button or link as a button. */
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
  const { variant, tone, size, fullWidth, icon, pending, blocked, children, disabled, ...rest } =
    props;
  const block = useDisabledReason(blocked);
  return (
    <button
      type="button"
      {...rest}
      {...buttonLook({ variant, tone, size, fullWidth })}
      {...block.props}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      data-turns={pending && !icon ? 'over' : undefined}
    >
      {pending ? <LoaderCircle className="turning" /> : icon}
      {children}
      {block.reason}
    </button>
  );
}

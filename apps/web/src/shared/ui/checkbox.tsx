import { type InputHTMLAttributes, useEffect, useRef } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'aria-label'> {
  /** What it chooses, in words; left out where a label is around it. */
  label?: string;
  /** Some of what it stands for is chosen. */
  isMixed?: boolean;
  /** Can be pressed anywhere in the positioned element around it. */
  fillsParent?: boolean;
}

export function Checkbox({ label, isMixed = false, fillsParent, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      {...rest}
      ref={input}
      type="checkbox"
      aria-label={label}
      className={styles.checkbox}
      data-fills-parent={fillsParent}
    />
  );
}

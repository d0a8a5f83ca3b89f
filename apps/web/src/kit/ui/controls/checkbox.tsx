import { type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'aria-label'> {
  /** Accessible name; leave it out inside a label element. */
  label?: string;
  /** Shows a dash, for a checkbox whose rows are only partly selected. */
  isMixed?: boolean;
  /** Extends the clickable area to the positioned parent element. */
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

interface CheckboxFieldProps {
  checked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}

export function CheckboxField({ checked, onChange, children }: CheckboxFieldProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-3 [&_label]:flex-1 [&_label]:py-[5px] [&_label]:cursor-pointer phone:[&_label]:py-[11px]">
      <Checkbox id={id} checked={checked} onChange={({ target }) => onChange(target.checked)} />
      <label htmlFor={id}>{children}</label>
    </div>
  );
}

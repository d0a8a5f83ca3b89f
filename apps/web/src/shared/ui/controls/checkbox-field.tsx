import { type ReactNode, useId } from 'react';
import { Row } from '../vocabulary.tsx';
import styles from './checkbox.module.css';
import { Checkbox } from './checkbox.tsx';

interface CheckboxFieldProps {
  checked: boolean;
  onChange: (isChecked: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
}

export function CheckboxField({ checked, onChange, disabled, children }: CheckboxFieldProps) {
  const id = useId();
  return (
    <Row gap={12} className={styles.field}>
      <Checkbox
        id={id}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{children}</label>
    </Row>
  );
}

import { type ReactNode, useId } from 'react';
import { Caption, Row, Text } from '#kit/ui/vocabulary.tsx';
import styles from './switch.module.css';

interface SwitchRowProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
}

interface SwitchFieldProps {
  checked: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}

/** A switch with its name behind it, among the fields of a form. */
export function SwitchField({ checked, onChange, children }: SwitchFieldProps) {
  return (
    <Row as="label" gap={12} className={styles.field}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={styles.switch}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </Row>
  );
}

/** Something that is on or off, with what it means beside it. */
export function SwitchRow({ label, hint, checked, disabled, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <Row gap={16} className={styles.row}>
      <Text as="div" grow>
        <label htmlFor={id} className="covers">
          {label}
        </label>
        {hint && (
          <Caption id={`${id}-hint`} as="p">
            {hint}
          </Caption>
        )}
      </Text>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={styles.switch}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => onChange(target.checked)}
      />
    </Row>
  );
}

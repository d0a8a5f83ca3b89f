import { type ReactNode, useId } from 'react';
import { Caption, Row, Text } from '../vocabulary.tsx';
import styles from './switch.module.css';

interface SwitchRowProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (isOn: boolean) => void;
}

/** Something that is on or off, with what it means beside it. */
export function SwitchRow({ label, hint, checked, onChange }: SwitchRowProps) {
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
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => onChange(target.checked)}
      />
    </Row>
  );
}

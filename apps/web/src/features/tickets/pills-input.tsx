import type { LucideIcon } from 'lucide-react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { RadioPill } from '../../shared/ui/controls/radio-pill.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './tickets.module.css';

interface PillsInputProps<Values extends FieldValues, Output> {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  label: string;
  options: readonly { value: string; label: string; Icon?: LucideIcon }[];
}

/** A choice of few, all of them in sight. */
export function PillsInput<Values extends FieldValues, Output>(
  props: PillsInputProps<Values, Output>,
) {
  const { control, name, label, options } = props;
  const { field } = useController({ control, name });
  return (
    <Row as="fieldset" align="stretch" gap={8} wrap className={styles.pills}>
      <legend>{label}</legend>
      {options.map(({ value, label: text, Icon }) => (
        <RadioPill
          key={value}
          size="medium"
          name={name}
          checked={field.value === value}
          onChange={() => field.onChange(value)}
        >
          {Icon && <Icon size={18} aria-hidden="true" />}
          {text}
        </RadioPill>
      ))}
    </Row>
  );
}

import { useId } from 'react';
import { Row } from '#kit/ui/vocabulary.tsx';
import { CoveringInput } from './covering-input.tsx';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  /** Name of the choice, for those who do not see it. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** A choice of two or three short words, side by side in one bar. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, options, onChange } = props;
  const name = useId();
  return (
    <div className={styles.segments} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <Row as="label" muted key={option.value}>
          <CoveringInput
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </Row>
      ))}
    </div>
  );
}

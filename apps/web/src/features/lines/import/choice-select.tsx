import { ChevronDown } from 'lucide-react';
import { isolate } from '#platform/i18n/isolate.ts';
import styles from './import.module.css';

interface ChoiceSelectProps {
  id?: string;
  /** Where no label stands beside it. */
  label?: string;
  value: string;
  /** The option that chooses nothing. */
  none: string;
  options: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
}

export function ChoiceSelect({ id, label, value, none, options, onChange }: ChoiceSelectProps) {
  return (
    <span className={`field-box ${styles.select}`} data-empty={value === '' || undefined}>
      <select
        id={id}
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{none}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {isolate(option.text)}
          </option>
        ))}
      </select>
      <ChevronDown size={16} />
    </span>
  );
}

import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { CoveringInput } from './covering-input.tsx';
import styles from './radio-pill.module.css';

interface CheckPillProps {
  checked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}

/** One of several that may be chosen together, drawn as pills. */
export function CheckPill({ checked, onChange, children }: CheckPillProps) {
  return (
    <label className={styles.pill} data-size="medium">
      <CoveringInput
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {checked && <Check size={16} aria-hidden="true" />}
      {children}
    </label>
  );
}

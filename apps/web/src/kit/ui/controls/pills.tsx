import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { CoveringInput } from './covering-input.tsx';
import styles from './pills.module.css';

interface RadioPillProps {
  size: 'small' | 'medium';
  /** The same for all pills of a choice. */
  name: string;
  checked: boolean;
  onChange: () => void;
  lang?: string;
  children: ReactNode;
}

/** One option of a choice that is drawn as pills. */
export function RadioPill({ size, lang, children, ...radio }: RadioPillProps) {
  return (
    <label className={`row choice ${styles.pill}`} data-size={size} lang={lang}>
      <CoveringInput type="radio" {...radio} />
      {children}
    </label>
  );
}

interface CheckPillProps {
  checked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}

/** One of several that may be chosen together, drawn as pills. */
export function CheckPill({ checked, onChange, children }: CheckPillProps) {
  return (
    <label className={`row choice ${styles.pill}`} data-size="medium">
      <CoveringInput
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {checked && <Check size={16} />}
      {children}
    </label>
  );
}

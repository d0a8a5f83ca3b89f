import type { ReactNode } from 'react';
import { CoveringInput } from './covering-input.tsx';
import styles from './radio-pill.module.css';

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
    <label className={styles.pill} data-size={size} lang={lang}>
      <CoveringInput type="radio" {...radio} />
      {children}
    </label>
  );
}

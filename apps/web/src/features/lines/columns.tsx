import type { ReactNode } from 'react';
import styles from './columns.module.css';

interface ColumnsProps {
  children: ReactNode;
  /** True if the first child is the narrower column, which then stands at the end. */
  isNarrowFirst?: boolean;
}

/** Two columns where there is room for them, whatever the window: a wider one and one beside it. */
export function Columns({ children, isNarrowFirst }: ColumnsProps) {
  return (
    <div className="[container-type:inline-size]">
      <div
        className={`grid grid-cols-1 items-start gap-6 phone:gap-2 ${styles.columns}`}
        data-narrow-first={isNarrowFirst || undefined}
      >
        {children}
      </div>
    </div>
  );
}

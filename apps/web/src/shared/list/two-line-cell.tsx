import type { ReactNode } from 'react';
import styles from './two-line-cell.module.css';

interface TwoLineCellProps {
  /** An icon or a face before the lines. */
  lead: ReactNode;
  first: ReactNode;
  /** Smaller, below the first. */
  second?: ReactNode;
}

/** The cell that names its row, in two lines. In compact rows they are side by side. */
export function TwoLineCell({ lead, first, second }: TwoLineCellProps) {
  return (
    <span className={styles.cell}>
      {lead}
      <span>
        {first}
        {second}
      </span>
    </span>
  );
}

import type { ReactNode } from 'react';
import { Row } from '#kit/ui/vocabulary.tsx';
import styles from './two-line-cell.module.css';

interface TwoLinesProps {
  first: ReactNode;
  /** Smaller, below the first. */
  second?: ReactNode;
  title?: string;
  isUnread?: boolean;
}

/** A cell in two lines. In compact rows they are side by side. */
export function TwoLines({ first, second, title, isUnread }: TwoLinesProps) {
  return (
    <span className={styles.lines} title={title} data-unread={isUnread || undefined}>
      {first}
      {second}
    </span>
  );
}

interface TwoLineCellProps extends Pick<TwoLinesProps, 'first' | 'second'> {
  /** An icon or a face before the lines. */
  lead: ReactNode;
}

/** The cell that names its row. */
export function TwoLineCell({ lead, first, second }: TwoLineCellProps) {
  return (
    <Row as="span" gap={12} className={styles.cell}>
      {lead}
      <TwoLines first={first} second={second} />
    </Row>
  );
}

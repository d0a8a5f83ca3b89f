import type { ReactNode } from 'react';
import { Row } from '../ui/vocabulary.tsx';
import styles from './foot-bar.module.css';

interface FootBarProps {
  label: string;
  /** A line above the buttons, such as what the first of them costs. */
  summary?: ReactNode;
  /** The main action first: it takes the width that is left. */
  children: ReactNode;
}

/** The actions of a page at the foot of a phone's window, for as long as its content is higher. */
export function FootBar({ label, summary, children }: FootBarProps) {
  return (
    <div className={styles.bar} role="group" aria-label={label} data-foot-bar data-print="none">
      {summary && (
        <Row gap={8} justify="between" caption muted below={8}>
          {summary}
        </Row>
      )}
      <Row gap={8} align="stretch" className={styles.buttons}>
        {children}
      </Row>
    </div>
  );
}

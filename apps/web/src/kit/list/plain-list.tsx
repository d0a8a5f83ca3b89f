import type { ReactNode } from 'react';
import styles from './plain-list.module.css';

interface PlainListProps {
  labelledBy: string;
  children: ReactNode;
}

/** A scrollable list of short texts, for dialogs without room for a table. */
export function PlainList({ labelledBy, children }: PlainListProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable with the keyboard
    <ul className={styles.list} tabIndex={0} aria-labelledby={labelledBy}>
      {children}
    </ul>
  );
}

import type { ReactNode } from 'react';
import styles from './forms.module.css';

interface SummaryLinkProps {
  onClick: () => void;
  children: ReactNode;
}

/** Leads to a wrong field from the list of all of them. */
export function SummaryLink({ onClick, children }: SummaryLinkProps) {
  return (
    <button type="button" className={styles.summaryLink} onClick={onClick}>
      {children}
    </button>
  );
}

import type { ReactNode } from 'react';
import styles from './shell.module.css';

/** The shell before its parts are there. */
export function EmptyShell({ children }: { children: ReactNode }) {
  return (
    <div className={styles.shell}>
      <div className={styles.side} />
      {children}
    </div>
  );
}

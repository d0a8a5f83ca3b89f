import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './print-sheet.module.css';

/**
 * While it is there, it alone is printed, also by the browser's own command. On the screen nothing of it
 * is seen.
 */
export function PrintSheet({ children }: { children: ReactNode }) {
  return createPortal(
    <div className={styles.sheet} data-print="sheet">
      {children}
    </div>,
    document.body,
  );
}

import type { ReactNode } from 'react';
import { Grid } from '#kit/ui/vocabulary.tsx';
import styles from './shell.module.css';

/** The shell before its parts are there. */
export function EmptyShell({ children }: { children: ReactNode }) {
  return (
    <Grid columns="var(--nav) minmax(0, 1fr)" single="tablet" className={styles.shell}>
      <div className={styles.side} />
      {children}
    </Grid>
  );
}

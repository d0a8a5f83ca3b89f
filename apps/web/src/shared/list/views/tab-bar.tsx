import type { ComponentProps, ReactNode } from 'react';
import styles from './view-tabs.module.css';

interface TabBarProps extends ComponentProps<'nav'> {
  /** Stands behind the tabs. */
  end?: ReactNode;
}

/** Links that are drawn as tabs. */
export function TabBar({ end, ...nav }: TabBarProps) {
  return (
    <div className={styles.views}>
      <nav {...nav} className={styles.tabs} />
      {end}
    </div>
  );
}

interface TabCountProps {
  tone?: string;
  /** Keeps its width before the number is there. */
  isLate?: boolean;
  children: ReactNode;
}

export function TabCount({ tone = 'neutral', isLate, children }: TabCountProps) {
  return (
    <span className={styles.count} data-tone={tone} data-late={isLate || undefined}>
      {children}
    </span>
  );
}

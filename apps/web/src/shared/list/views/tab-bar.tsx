import type { ComponentProps, ReactNode } from 'react';
import { Row } from '../../ui/vocabulary.tsx';
import styles from './view-tabs.module.css';

interface TabBarProps extends ComponentProps<'nav'> {
  /** Stands behind the tabs. */
  end?: ReactNode;
}

/** Links that are drawn as tabs. */
export function TabBar({ end, ...nav }: TabBarProps) {
  return (
    <Row className={styles.views} data-print="none">
      <nav {...nav} className={styles.tabs} />
      {end}
    </Row>
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

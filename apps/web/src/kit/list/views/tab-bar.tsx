import { type ComponentProps, type ReactNode, useRef } from 'react';
import { Row } from '#kit/ui/vocabulary.tsx';
import { useCurrentTabShown } from './use-current-tab-shown.ts';
import styles from './view-tabs.module.css';

interface TabBarProps extends Omit<ComponentProps<'nav'>, 'ref'> {
  /** Stands behind the tabs. */
  end?: ReactNode;
}

/** Links that are drawn as tabs, the current one with `data-current`. */
export function TabBar({ end, ...nav }: TabBarProps) {
  const tabs = useRef<HTMLElement>(null);
  useCurrentTabShown(tabs);
  return (
    <Row className={styles.views} data-print="none">
      <nav {...nav} ref={tabs} className={styles.tabs} />
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

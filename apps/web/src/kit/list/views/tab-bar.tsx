import { type ComponentProps, type ReactNode, useRef } from 'react';
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
    <div
      className="flex items-center h-12 [box-shadow:inset_0_-1px_0_var(--divider)] phone:my-0 phone:mx-[calc(-1_*_var(--list-bleed,16px))]"
      data-print="none"
    >
      <nav {...nav} ref={tabs} className={styles.tabs} />
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
    <span
      className="flex-none min-w-6 py-0 px-1.5 rounded-badge bg-[var(--tone-bg,var(--neutral-bg))] text-[var(--tone-fg,var(--neutral-fg))] type-[700_12px/22px_var(--font)] text-center data-late:min-w-9 empty:invisible [[data-current]>&]:bg-text [[data-current]>&]:text-[#fff]"
      data-tone={tone}
      data-late={isLate || undefined}
    >
      {children}
    </span>
  );
}

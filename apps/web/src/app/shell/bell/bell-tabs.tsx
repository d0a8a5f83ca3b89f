import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import styles from './bell.module.css';

export type BellTab = 'notifications' | 'results';

interface BellTabsProps {
  tabs: readonly { id: BellTab; text: string; count: ReactNode }[];
  tab: BellTab;
  onTab: (tab: BellTab) => void;
  /** The content of the chosen tab. */
  children: ReactNode;
}

/** Tabs of which one can be reached with Tab, and the other with the arrows. */
export function BellTabs({ tabs, tab, onTab, children }: BellTabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = ({ key }: KeyboardEvent) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const next = tabs.find((one) => one.id !== tab);
    if (!next) return;
    onTab(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" className={styles.tabs} onKeyDown={move}>
        {tabs.map(({ id: one, text, count }) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}`}
            data-tab={one}
            aria-selected={one === tab}
            aria-controls={`${id}-shown`}
            tabIndex={one === tab ? 0 : -1}
            onClick={() => onTab(one)}
          >
            {text}
            {count && <span className={styles.count}>{count}</span>}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-shown`}
        aria-labelledby={`${id}-${tab}`}
        className={styles.shown}
      >
        {children}
      </div>
    </>
  );
}

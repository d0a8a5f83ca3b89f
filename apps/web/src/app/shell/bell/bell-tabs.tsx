import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { TAB } from '#kit/list/views/tab-bar.tsx';

export type BellTab = 'notifications' | 'results';

interface BellTabsProps {
  tabs: readonly { id: BellTab; text: string; count: ReactNode }[];
  tab: BellTab;
  onTab: (tab: BellTab) => void;
  /** The content below the chosen tab. */
  children: ReactNode;
}

/** The tabs of the bell. The Tab key reaches the current one, and the arrow keys switch to the other. */
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
      <div
        ref={list}
        role="tablist"
        className="flex flex-none gap-8 h-12 px-5 [box-shadow:inset_0_-1px_0_var(--color-divider)] phone:px-4"
        onKeyDown={move}
      >
        {tabs.map(({ id: one, text, count }) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}`}
            data-tab={one}
            data-current={one === tab || undefined}
            className={`h-full ${TAB}`}
            aria-selected={one === tab}
            aria-controls={`${id}-shown`}
            tabIndex={one === tab ? 0 : -1}
            onClick={() => onTab(one)}
          >
            {text}
            {count && (
              <span className="min-w-6 py-0 px-1.5 rounded-badge bg-neutral-bg text-neutral-fg type-[700_12px/22px_var(--font)] text-center [[aria-selected=true]>&]:bg-text [[aria-selected=true]>&]:text-paper">
                {count}
              </span>
            )}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-shown`}
        aria-labelledby={`${id}-${tab}`}
        className="flex flex-1 flex-col min-h-0"
      >
        {children}
      </div>
    </>
  );
}

import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';

const FOOT_ID = 'foot';

/**
 * The place for bars at the bottom of a phone's window. It comes after the page, so that the bars do not cover the
 * page's end.
 */
export function Foot({ children }: { children: ReactNode }) {
  return (
    <div
      id={FOOT_ID}
      ref={measureFoot}
      className="hidden phone:block phone:sticky phone:bottom-[var(--keyboard,0px)] phone:z-9 low:static"
      data-print="none"
    >
      {children}
    </div>
  );
}

/** Keeps the focused element above the bars, by their height: see `scroll-padding` in base.css. */
function measureFoot(foot: HTMLElement | null) {
  if (!foot) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    style.setProperty('--foot', `${foot.offsetHeight}px`);
  });
  observer.observe(foot);
  return () => {
    observer.disconnect();
    style.removeProperty('--foot');
  };
}

interface FootBarProps {
  label: string;
  /** A text above the buttons, such as the price of the first one. */
  summary?: ReactNode;
  /** The buttons, the main action first: it takes the remaining width. */
  children: ReactNode;
}

/**
 * The actions of a page at the bottom of a phone's window, instead of the bottom bar. A submit
 * button names its form in `form`, because it is outside of it.
 */
export function FootBar({ label, summary, children }: FootBarProps) {
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setFoot(document.getElementById(FOOT_ID)), []);
  if (!foot) return null;
  return createPortal(
    <section
      className="bg-paper [box-shadow:0_-1px_0_var(--color-divider),var(--shade-bar)] pt-3 px-4 pb-[calc(16px_+_env(safe-area-inset-bottom))] [&_b]:text-text [&_b]:font-semibold [&_b]:whitespace-nowrap"
      aria-label={label}
      data-foot-bar
    >
      {summary && (
        <div className="flex items-center justify-between gap-2 mb-2 text-text-2 type-caption">
          {summary}
        </div>
      )}
      <div className="flex items-stretch gap-2 flex-wrap [&>:first-child]:flex-auto">
        {children}
      </div>
    </section>,
    foot,
  );
}

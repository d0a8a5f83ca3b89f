import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Row } from '#kit/ui/vocabulary.tsx';
import styles from './foot-bar.module.css';

const FOOT_ID = 'foot';

/** Where bars stand at the foot of a phone's window: after the page, so that they cover no end of it. */
export function Foot({ children }: { children: ReactNode }) {
  return (
    <div id={FOOT_ID} ref={measureFoot} className={styles.foot} data-print="none">
      {children}
    </div>
  );
}

/** Keeps what has the focus above the bars, as high as they are: see `scroll-padding` in base.css. */
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
  /** A line above the buttons, such as what the first of them costs. */
  summary?: ReactNode;
  /** The main action first: it takes the width that is left. */
  children: ReactNode;
}

/**
 * The actions of a page at the foot of a phone's window, in the place of the bar with the panel's places. A
 * button that submits a form names it by `form`, because it stands outside of it.
 */
export function FootBar({ label, summary, children }: FootBarProps) {
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setFoot(document.getElementById(FOOT_ID)), []);
  if (!foot) return null;
  return createPortal(
    <section className={styles.own} aria-label={label} data-foot-bar>
      {summary && (
        <Row gap={8} justify="between" caption muted below={8}>
          {summary}
        </Row>
      )}
      <Row gap={8} align="stretch" className={styles.buttons}>
        {children}
      </Row>
    </section>,
    foot,
  );
}

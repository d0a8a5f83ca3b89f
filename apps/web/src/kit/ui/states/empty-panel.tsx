import type { ReactNode } from 'react';
import styles from './panel.module.css';

export interface EmptyPanelProps {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}

/** For empty lists and searches without matches; for errors use FailedPanel. */
export function EmptyPanel({ icon, title, text, action }: EmptyPanelProps) {
  return (
    <div className={styles.panel}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {action}
    </div>
  );
}

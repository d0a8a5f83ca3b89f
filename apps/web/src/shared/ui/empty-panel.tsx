import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface EmptyPanelProps {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}

/** For "nothing yet" and "nothing matches"; never for what failed to load. */
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

import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type BadgeTone = 'success' | 'warning' | 'error' | 'info' | 'neutral';

interface BadgeProps {
  tone: BadgeTone;
  icon?: ReactNode;
  /** 22 px instead of 24, for compact rows. */
  compact?: boolean;
  /** Plain grey words with the icon, without a fill. */
  quiet?: boolean;
  title?: string;
  children: ReactNode;
}

export function Badge({ tone, icon, compact, quiet, title, children }: BadgeProps) {
  return (
    <span
      className={styles.badge}
      data-tone={tone}
      data-compact={compact || undefined}
      data-quiet={quiet || undefined}
      title={title}
    >
      {icon && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      {children}
    </span>
  );
}

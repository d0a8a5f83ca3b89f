import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { Row } from './vocabulary.tsx';
import './icons/icons.css';
import type { DrawnIcon } from './icons/drawn-icon.ts';

export type BadgeTone = 'success' | 'warning' | 'error' | 'info' | 'neutral';

interface BadgeProps {
  tone: BadgeTone;
  icon?: ReactNode;
  /** An icon drawn by the stylesheet, for badges that stand in every row. */
  drawnIcon?: DrawnIcon;
  /** Grey text with the icon, without a background. */
  quiet?: boolean;
  /** Takes a second line if there is no room for its words in one. */
  wraps?: boolean;
  title?: string;
  children: ReactNode;
}

export function Badge({ tone, icon, drawnIcon, quiet, wraps, title, children }: BadgeProps) {
  return (
    <Row
      as="span"
      inline
      gap={4}
      className={styles.badge}
      data-tone={tone}
      data-icon={drawnIcon}
      data-quiet={quiet || undefined}
      data-wraps={wraps || undefined}
      title={title}
    >
      {icon && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      {children}
    </Row>
  );
}

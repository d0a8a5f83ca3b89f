import type { ReactNode } from 'react';
import styles from './icon-tile.module.css';

interface IconTileProps {
  tone?: 'primary' | 'success' | 'warning' | 'error' | 'info' | 'neutral';
  isRound?: boolean;
  className?: string | undefined;
  /** An icon of 20 pixels. */
  children: ReactNode;
}

/** An icon on a square of its tone, which decorates what stands beside it. */
export function IconTile({ tone = 'primary', isRound, className = '', children }: IconTileProps) {
  return (
    <span
      className={`grid flex-none place-items-center ${styles.icon} ${className}`}
      data-tone={tone}
      data-round={isRound}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}

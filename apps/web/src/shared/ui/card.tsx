import type { HTMLAttributes, ReactNode } from 'react';
import styles from './card.module.css';

interface CardProps extends Omit<HTMLAttributes<HTMLElement>, 'title'> {
  /** A heading inside the card. */
  title?: ReactNode;
  /** At the end of the heading's line. */
  action?: ReactNode;
  /** Without the padding, for tables that reach the edges. */
  flush?: boolean;
  as?: 'section' | 'div' | 'article' | 'li';
}

export function Card({
  title,
  action,
  flush,
  as: Tag = 'section',
  children,
  className,
  ...rest
}: CardProps) {
  return (
    <Tag
      {...rest}
      className={[styles.card, className].filter(Boolean).join(' ')}
      data-flush={flush || undefined}
    >
      {title && (
        <div className={styles.heading}>
          <h2>{title}</h2>
          {action}
        </div>
      )}
      {children}
    </Tag>
  );
}

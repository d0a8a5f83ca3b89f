import type { HTMLAttributes, ReactNode } from 'react';
import styles from './card.module.css';

interface CardProps extends Omit<HTMLAttributes<HTMLElement>, 'title'> {
  title?: ReactNode;
  /** Content at the end of the heading's row. */
  action?: ReactNode;
  /** True for no padding, for tables that fill the card. */
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
        <div className={`flex items-center justify-between mb-4 ${styles.heading}`}>
          <h2>{title}</h2>
          {action}
        </div>
      )}
      {children}
    </Tag>
  );
}

/** The line of text below the title of a card. */
export function CardSummary({ children }: { children: ReactNode }) {
  return <span className="block text-text-2 type-body tracking-[0]">{children}</span>;
}

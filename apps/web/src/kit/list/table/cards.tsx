import type { ReactNode } from 'react';
import { Card } from '#kit/ui/card.tsx';
import { Skeleton } from '#kit/ui/skeleton.tsx';
import styles from './cards.module.css';

interface CardsProps {
  label: string;
  /** True while these cards belong to the previous query and must not be acted on. */
  isInert: boolean;
  isFlat: boolean;
  children: ReactNode;
}

/** A list on a phone, with one card for each row of the table. */
export function Cards({ label, isInert, isFlat, children }: CardsProps) {
  return (
    <ul
      className={`grid grid-cols-1 ${isFlat ? styles.rows : `gap-2 ${styles.cards}`}`}
      aria-label={label}
      aria-busy={isInert}
      inert={isInert}
    >
      {children}
    </ul>
  );
}

interface RowCardProps {
  isSelected?: boolean;
  /** Checkbox that selects the row; left out where rows cannot be selected. */
  box?: ReactNode;
  /** The row's header cell, and a badge at the end of its line. */
  name: ReactNode;
  badge?: ReactNode;
  actions: ReactNode;
  /** Lines of the card, see CardLine. */
  children: ReactNode;
}

export function RowCard({ isSelected, box, name, badge, actions, children }: RowCardProps) {
  return (
    <Card
      as="li"
      className={styles.card}
      data-selected={isSelected || undefined}
      data-boxless={box ? undefined : true}
    >
      {box}
      <div className={`flex items-center justify-between gap-3 ${styles.head}`}>
        <b>{name}</b>
        {badge}
      </div>
      {children}
      {actions && <Actions>{actions}</Actions>}
    </Card>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return (
    <div
      className={`flex gap-2 mt-2 pt-2 border-t border-t-divider empty:hidden [&>:not(:last-child)]:flex-1 [&>:not(:last-child)]:min-w-0 ${styles.actions}`}
    >
      {children}
    </div>
  );
}

/** Values side by side below the name of a card. */
export function CardLine({ children }: { children: ReactNode }) {
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-2 mt-1 min-h-6 empty:hidden ${styles.line}`}
    >
      {children}
    </div>
  );
}

const skeletonCards = Array.from({ length: 5 }, (_, index) => index);

/** Placeholder cards, invisible until loading takes longer than a moment. */
export function SkeletonCards({
  isVisible,
  isBoxless,
  isFlat,
}: {
  isVisible: boolean;
  isBoxless?: boolean;
  isFlat?: boolean;
}) {
  if (isFlat) {
    return (
      <ul className={styles.rows} aria-hidden="true" data-blank={!isVisible || undefined}>
        {skeletonCards.map((row) => (
          <li key={row} className={styles.skeletonRow}>
            <Skeleton width={150} height={14} />
            <Skeleton width={60} height={14} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul
      className={`grid grid-cols-1 gap-2 ${styles.cards}`}
      aria-hidden="true"
      data-blank={!isVisible || undefined}
    >
      {skeletonCards.map((card) => (
        <Card as="li" key={card} className={styles.card} data-boxless={isBoxless}>
          <div className={`flex items-center justify-between gap-3 ${styles.head}`}>
            <Skeleton width={150} height={14} />
            <Skeleton width={60} height={24} />
          </div>
          <CardLine>
            <div className="flex items-center gap-2">
              <Skeleton width={84} />
              <Skeleton width={84} height={24} />
            </div>
            <Skeleton width={84} />
          </CardLine>
          <Actions>
            <Skeleton height={44} radius={8} />
            <Skeleton height={44} radius={8} />
            <Skeleton width={44} height={44} radius={22} />
          </Actions>
        </Card>
      ))}
    </ul>
  );
}

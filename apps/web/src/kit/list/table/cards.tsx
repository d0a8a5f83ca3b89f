import { Children, Fragment, type ReactNode } from 'react';
import { Card } from '#kit/ui/card.tsx';
import { Skeleton } from '#kit/ui/skeleton.tsx';
import { Row, Stack } from '#kit/ui/vocabulary.tsx';
import { InTurn } from '#platform/start/later.tsx';
import styles from './cards.module.css';

interface CardsProps {
  label: string;
  /** True while these cards belong to the previous query and must not be acted on. */
  isInert: boolean;
  children: ReactNode;
}

/** As many cards as a high phone shows. */
const IN_SIGHT = 8;

/** A list on a phone, with one card for each row of the table. */
export function Cards({ label, isInert, children }: CardsProps) {
  const cards = Children.toArray(children);
  const starts = cards.map((_, index) => index).filter((index) => index % IN_SIGHT === 0);
  return (
    <Stack
      as="ul"
      gap={8}
      className={styles.cards}
      aria-label={label}
      aria-busy={isInert}
      inert={isInert}
    >
      <InTurn isFirstAtOnce>
        {starts.map((start) => (
          <Fragment key={start}>{cards.slice(start, start + IN_SIGHT)}</Fragment>
        ))}
      </InTurn>
    </Stack>
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
      <Row gap={12} justify="between" className={styles.head}>
        <b>{name}</b>
        {badge}
      </Row>
      {children}
      {actions && <Actions>{actions}</Actions>}
    </Card>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return (
    <Row align="stretch" gap={8} above={8} className={styles.actions}>
      {children}
    </Row>
  );
}

/** Values side by side below the name of a card. */
export function CardLine({ children }: { children: ReactNode }) {
  return (
    <Row gap={8} above={4} justify="between" wrap className={styles.line}>
      {children}
    </Row>
  );
}

const skeletonCards = Array.from({ length: 5 }, (_, index) => index);

/** Placeholder cards, invisible until loading takes longer than a moment. */
export function SkeletonCards({
  isVisible,
  isBoxless,
}: {
  isVisible: boolean;
  isBoxless?: boolean;
}) {
  return (
    <Stack
      as="ul"
      gap={8}
      className={styles.cards}
      aria-hidden="true"
      data-blank={!isVisible || undefined}
    >
      {skeletonCards.map((card) => (
        <Card as="li" key={card} className={styles.card} data-boxless={isBoxless}>
          <Row gap={12} justify="between" className={styles.head}>
            <Skeleton width={150} height={14} />
            <Skeleton width={60} height={24} />
          </Row>
          <CardLine>
            <Row gap={8}>
              <Skeleton width={84} />
              <Skeleton width={84} height={24} />
            </Row>
            <Skeleton width={84} />
          </CardLine>
          <Actions>
            <Skeleton height={44} radius={8} />
            <Skeleton height={44} radius={8} />
            <Skeleton width={44} height={44} radius={22} />
          </Actions>
        </Card>
      ))}
    </Stack>
  );
}

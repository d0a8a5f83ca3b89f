import type { ReactNode } from 'react';
import { Card } from '#kit/ui/card.tsx';
import { Skeleton } from '#kit/ui/skeleton.tsx';

/** The look of cards. Cards of the previous query fade after a delay, which avoids a flicker if the reply is quick. */
const CARDS =
  'grid grid-cols-1 [&[inert]]:opacity-50 [&[inert]]:[transition:opacity_0.1s_0.3s] data-blank:[&_span]:invisible';
/**
 * The look of the rows. Rows below the fold are laid out when they are scrolled to; the first ones
 * always, so that content below a short list keeps its place.
 */
const ROWS = `${CARDS} overflow-clip rounded-card bg-paper shadow-card divided [&>li:nth-child(n+15)]:[content-visibility:auto] [&>li:nth-child(n+15)]:[contain-intrinsic-size:auto_none_auto_64px]`;
const BELOW_FOLD =
  '[&:nth-child(n+8)]:[content-visibility:auto] [&:nth-child(n+8)]:[contain-intrinsic-size:auto_none_auto_168px]';
const CARD = `group/card relative pt-3 px-4 pb-2 [&:not(:has(>[data-card-actions]:not(:empty)))]:py-4 data-selected:bg-selected data-selected:[box-shadow:inset_0_0_0_2px_var(--color-primary)] ${BELOW_FOLD}`;
/** The indent of a text beside the selection box. */
const BESIDE_BOX = 'ps-7.5 group-data-boxless/card:ps-0';
const HEAD = `flex items-center justify-between gap-3 ${BESIDE_BOX} [&>b]:min-w-0 [&>b]:type-[600_16px/24px_var(--font)] [&>b]:wrap-anywhere [&>:not(b)]:flex-none`;

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
      className={isFlat ? ROWS : `${CARDS} gap-2`}
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
  /** The checkbox that selects the row; undefined if rows cannot be selected. */
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
      className={CARD}
      data-selected={isSelected || undefined}
      data-boxless={box ? undefined : true}
    >
      {box}
      <div className={HEAD}>
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
      className="flex gap-2 mt-2 pt-2 border-t border-t-divider empty:hidden [&>:not(:last-child)]:flex-1 [&>:not(:last-child)]:min-w-0"
      data-card-actions
    >
      {children}
    </div>
  );
}

/** Values side by side below the name of a card. */
export function CardLine({ children }: { children: ReactNode }) {
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-2 mt-1 min-h-6 ${BESIDE_BOX} empty:hidden`}
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
      <ul className={ROWS} aria-hidden="true" data-blank={!isVisible || undefined}>
        {skeletonCards.map((row) => (
          <li key={row} className="flex items-center justify-between h-16 px-4">
            <Skeleton width={150} height={14} />
            <Skeleton width={60} height={14} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul className={`${CARDS} gap-2`} aria-hidden="true" data-blank={!isVisible || undefined}>
      {skeletonCards.map((card) => (
        <Card as="li" key={card} className={CARD} data-boxless={isBoxless || undefined}>
          <div className={HEAD}>
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

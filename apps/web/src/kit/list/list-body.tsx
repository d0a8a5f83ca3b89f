import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { useDelayed } from '#platform/browser/use-delayed.ts';

/** The look of the card around rows. In a narrow window it has none, because each row is a card. */
const CARD = {
  rows: '[--list-bleed:0px] overflow-clip',
  cards:
    'cards:[--list-side:0px] cards:rounded-none cards:[background:none] cards:[box-shadow:none]',
};
/** The look of a message instead of rows, which is a card if rows are. */
const AMONG_CARDS =
  'cards:group-data-[rows=cards]/list:mt-4 cards:group-data-[rows=cards]/list:rounded-card cards:group-data-[rows=cards]/list:bg-paper cards:group-data-[rows=cards]/list:shadow-card';
const PANEL = `group-data-[rows=ground]/list:rounded-card group-data-[rows=ground]/list:bg-paper group-data-[rows=ground]/list:shadow-card ${AMONG_CARDS}`;

interface ListCardProps {
  id?: string;
  label: string;
  /** True if rows are cards on a phone, where the surrounding card is then hidden. */
  hasCards?: boolean;
  children: ReactNode;
}

/** The card around a list. */
export function ListCard({ id, label, hasCards, children }: ListCardProps) {
  return (
    <Card
      flush
      id={id}
      tabIndex={-1}
      className={`group/list ${hasCards ? CARD.cards : CARD.rows}`}
      data-rows={hasCards ? 'cards' : 'table'}
      aria-label={label}
    >
      {children}
    </Card>
  );
}

interface ListGroundProps {
  label: string;
  children: ReactNode;
}

/** The background of a list whose rows are cards at any width: the page itself, without a card. */
export function ListGround({ label, children }: ListGroundProps) {
  return (
    <section
      tabIndex={-1}
      className="group/list above-phone:[--list-side:0px]"
      data-rows="ground"
      aria-label={label}
    >
      {children}
    </section>
  );
}

/** Loading state of a list's rows. */
export interface ListState {
  /** Number of rows available; undefined before the first reply. */
  count: number | undefined;
  error: Error | null;
  isFetching: boolean;
  /** True if the request takes so long that a retry is offered. */
  isLate?: boolean;
  retry: () => void;
}

interface ListBodyProps {
  state: ListState;
  /** True if a search or filter may be hiding rows. */
  isFiltered: boolean;
  toolbar: ReactNode;
  /** Content instead of rows and toolbar if the list is empty without filters. */
  firstUse: ReactNode;
  /** Content instead of rows if nothing matches the filters. */
  noMatch: ReactNode;
  /** The rows, or their placeholders while loading. */
  children: ReactNode;
}

/**
 * The toolbar and the rows of a list. Without rows, an error or the message for an empty list is in
 * their place; if loading takes long, a banner above them offers Retry.
 */
export function ListBody({ state, isFiltered, toolbar, ...slots }: ListBodyProps) {
  const { count, error, isFetching, isLate, retry } = state;
  const isEmpty = count === 0;
  if (error && count === undefined) {
    return (
      <>
        {toolbar}
        <div className={PANEL}>
          <FailedPanel error={error} onRetry={retry} />
        </div>
      </>
    );
  }
  if (isEmpty && !isFiltered) return <div className={PANEL}>{slots.firstUse}</div>;
  return (
    <>
      {toolbar}
      <div className="relative z-3 h-0">
        <RefetchBar active={isFetching && count !== undefined} />
      </div>
      {isLate && <StillLoading onRetry={retry} />}
      {isEmpty ? (
        <div className={PANEL} role="status">
          {slots.noMatch}
        </div>
      ) : (
        slots.children
      )}
    </>
  );
}

function StillLoading({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="px-6 pb-4 phone:px-0">
      <Banner
        tone="info"
        title={t('list.stillLoading')}
        action={
          <Button size="small" onClick={onRetry}>
            {t('action.retry')}
          </Button>
        }
        isAlert
      />
    </div>
  );
}

interface RowsProps {
  isLoading: boolean;
  /** Text for screen readers if loading takes longer than a moment. */
  loadingText: string;
  children: (showsSkeleton: boolean) => ReactNode;
}

/** Renders the rows; `showsSkeleton` is true once loading takes longer than a moment. */
export function Rows({ isLoading, loadingText, children }: RowsProps) {
  const showsSkeleton = useDelayed(isLoading);
  return (
    <>
      {children(showsSkeleton)}
      <p className="visually-hidden" role="status">
        {showsSkeleton && loadingText}
      </p>
    </>
  );
}

/** The progress line while data is refetched; it always takes 2 px, to avoid a layout shift. */
function RefetchBar({ active }: { active: boolean }) {
  return (
    <div
      className="relative h-0.5 overflow-hidden data-active:bg-primary-tint data-active:after:content-[''] data-active:after:absolute data-active:after:[inset:0_62%_0_0] data-active:after:bg-primary data-active:after:animate-[pass_1.2s_ease-in-out_infinite]"
      data-active={active || undefined}
      aria-hidden="true"
    />
  );
}

import type { ReactNode } from 'react';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useOptionalSelection } from './selection/selection-context.tsx';

interface ToolbarProps {
  /** The search box and the filters. */
  children: ReactNode;
  /** Controls at the other end of the toolbar. */
  end?: ReactNode;
}

const ON_GROUND =
  'group-data-[rows=ground]/list:min-h-0 group-data-[rows=ground]/list:py-4 group-data-[rows=ground]/list:px-0';
/** The look above cards: directly on the page, without a card around the toolbar. */
const ABOVE_CARDS =
  'cards:group-data-[rows=cards]/list:flex-nowrap cards:group-data-[rows=cards]/list:gap-2 cards:group-data-[rows=cards]/list:min-h-0 cards:group-data-[rows=cards]/list:pt-4 cards:group-data-[rows=cards]/list:pb-2 cards:group-data-[rows=cards]/list:px-0';
const BUTTONS_ABOVE_CARDS =
  'phone:group-data-[rows=cards]/list:[&>button]:flex-none phone:group-data-[rows=cards]/list:[&>button]:min-w-16 phone:group-data-[rows=cards]/list:[&>button]:h-12';

/** Controls above the rows. Hidden while rows are selected, because the bulk bar replaces it. */
export function Toolbar({ children, end }: ToolbarProps) {
  const isPhone = useIsPhone();
  const isSelecting = useOptionalSelection()?.isEmpty === false;
  // On a phone the bulk bar is at the bottom, so the toolbar stays.
  if (isSelecting && !isPhone) return null;
  return (
    <div
      className={`flex items-center gap-2 min-h-16 pe-4 ps-6 phone:flex-wrap phone:gap-x-6 phone:py-3 phone:px-4 [&>button[aria-expanded=true]]:border-primary [&>button[aria-expanded=true]]:bg-primary-soft ${ON_GROUND} ${ABOVE_CARDS} ${BUTTONS_ABOVE_CARDS}`}
      data-print="none"
    >
      {children}
      <span className="flex-1 min-w-0 only-wide" />
      {end}
    </div>
  );
}

/** Reserves the bulk bar's height while its code is loading. */
export function BulkBarPlaceholder() {
  return <div className="h-16 bg-primary-tint only-wide" data-bulk-room />;
}

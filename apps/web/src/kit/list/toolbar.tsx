import type { ReactNode } from 'react';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import styles from './list.module.css';
import { useOptionalSelection } from './selection/selection-context.tsx';

interface ToolbarProps {
  /** Search and filters. */
  children: ReactNode;
  /** Controls at the other end. */
  end?: ReactNode;
}

/** Controls above the rows. Hidden while rows are selected, because the bulk bar takes its place. */
export function Toolbar({ children, end }: ToolbarProps) {
  const isPhone = useIsPhone();
  const isSelecting = useOptionalSelection()?.isEmpty === false;
  // On a phone the bulk bar is at the bottom, so the toolbar stays.
  if (isSelecting && !isPhone) return null;
  return (
    <div className={`flex items-center ${styles.toolbar}`} data-print="none">
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

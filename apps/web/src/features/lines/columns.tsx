import type { ReactNode } from 'react';

interface ColumnsProps {
  children: ReactNode;
  /** True if the first child is the narrower column, which is placed at the end. */
  isNarrowFirst?: boolean;
}

/** A wide column and a narrow one beside it, if their container has room for both; otherwise one below the other. */
export function Columns({ children, isNarrowFirst }: ColumnsProps) {
  return (
    <div className="@container">
      <div
        className="grid grid-cols-1 items-start gap-6 phone:gap-2 @min-[800px]:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)] @min-[800px]:data-narrow-first:[&>:first-child]:order-1"
        data-narrow-first={isNarrowFirst || undefined}
      >
        {children}
      </div>
    </div>
  );
}

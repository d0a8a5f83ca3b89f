import type { ReactNode } from 'react';

/** Rows of a name, a figure, and below them a `Bar`. */
export function Bars({ children }: { children: ReactNode }) {
  return (
    <ul
      className="grid gap-3.5 [&_li]:grid [&_li]:grid-cols-[minmax(0,1fr)_auto] [&_li]:gap-y-1 [&_li]:gap-x-3 [&_a]:type-body"
      data-print="drawn"
    >
      {children}
    </ul>
  );
}

/** A share from 0 to 1; null draws the empty bar. */
export function Bar({ share }: { share: number | null }) {
  return (
    <span className="col-[1/3] h-2 rounded-[4px] bg-primary-soft [&_i]:block [&_i]:h-full [&_i]:rounded-[4px] [&_i]:bg-chart-1">
      {share !== null && <i style={{ width: `${share * 100}%` }} />}
    </span>
  );
}

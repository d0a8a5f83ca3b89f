import type { ReactNode } from 'react';

interface PlainListProps {
  labelledBy: string;
  children: ReactNode;
}

/** A scrollable list of short texts, for dialogs without room for a table. */
export function PlainList({ labelledBy, children }: PlainListProps) {
  return (
    <ul
      className="max-h-33 mt-1 overflow-y-auto text-text-2"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable with the keyboard
      tabIndex={0}
      aria-labelledby={labelledBy}
    >
      {children}
    </ul>
  );
}

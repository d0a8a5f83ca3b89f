import type { ReactNode } from 'react';

interface SummaryLinkProps {
  onClick: () => void;
  children: ReactNode;
}

/** Leads to a wrong field from the list of all of them. */
export function SummaryLink({ onClick, children }: SummaryLinkProps) {
  return (
    <button type="button" className="inline text-inherit underline phone:min-h-8" onClick={onClick}>
      {children}
    </button>
  );
}

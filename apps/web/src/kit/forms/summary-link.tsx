import type { ReactNode } from 'react';

interface SummaryLinkProps {
  onClick: () => void;
  children: ReactNode;
}

/** A link from the list of a form's errors to the field of one of them. */
export function SummaryLink({ onClick, children }: SummaryLinkProps) {
  return (
    <button type="button" className="inline text-inherit underline phone:min-h-8" onClick={onClick}>
      {children}
    </button>
  );
}

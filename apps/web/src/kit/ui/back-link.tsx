import { createLink } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { AnchorHTMLAttributes, Ref } from 'react';

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>;
}

function BackAnchor({ children, ...rest }: AnchorProps) {
  return (
    <a
      {...rest}
      className="inline-flex items-center gap-1 mb-2 -ms-1 text-text-2 type-[500_14px/22px_var(--font)] hover:text-text phone:min-h-11 phone:mb-0"
      data-print="none"
    >
      <ChevronLeft size={16} />
      {children}
    </a>
  );
}

/** The link above a page's title to the page that it belongs to. */
export const BackLink = createLink(BackAnchor);

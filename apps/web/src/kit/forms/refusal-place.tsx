import { type ReactNode, useEffect, useRef } from 'react';

/**
 * Place above the fields of a form. Scrolls to it when the panel refuses the form as a whole, since
 * the submit button may be far below. Keeps the focus in the field if the form was submitted with
 * Enter.
 */
export function RefusalPlace({ refusal, children }: { refusal: unknown; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!refusal) return;
    place.current?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement?.matches('input, textarea')) return;
    place.current?.focus({ preventScroll: true });
  }, [refusal]);
  return (
    // This margin clears the sticky header and the banner of a lost connection.
    <div
      ref={place}
      className="scroll-mt-[calc(var(--header)+88px)] focus:[outline:0] empty:hidden"
      tabIndex={-1}
    >
      {children}
    </div>
  );
}
